package dev.partita.cli;

public final class Scratch {
  public static void main(String[] a) throws Exception {
    Commands c = new Commands();
    for (String line : new String(System.in.readAllBytes(), "UTF-8").split("\n")) {
      if (line.isBlank()) continue;
      System.out.println("$ partita " + line);
      Commands.Ran r = c.run(line.split(" "));
      System.out.print(r.out());
      System.out.print(r.err().isEmpty() ? "" : "STDERR " + r.err());
      System.out.println("=> " + r.exitCode());
    }
  }
}
