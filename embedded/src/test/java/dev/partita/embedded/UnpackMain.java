package dev.partita.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Unpacks the programs as soon as its input ends. Argument: the cache. */
final class UnpackMain {

  private UnpackMain() {}

  public static void main(String[] args) throws IOException {
    HostSystem host = HostSystem.detect();
    System.out.println("waiting");
    System.in.read();
    Binaries binaries = Binaries.prepare(host, Optional.of(Path.of(args[0])));
    System.out.println("unpacked " + binaries.root());
  }
}
