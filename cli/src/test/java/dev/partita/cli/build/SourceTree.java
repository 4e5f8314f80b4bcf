package dev.partita.cli.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files people write, without what tools make of them. */
record SourceTree(Path root, List<Path> files) {
  private static final Set<String> NOT_WRITTEN =
      Set.of(
          ".git",
          ".idea",
          ".vscode",
          ".partita",
          "lab-results",
          "partita-data",
          "target",
          "node_modules");
  private static final Set<String> NOT_TEXT =
      Set.of("png", "jpg", "gif", "ico", "woff2", "jar", "gz", "zip", "jfr", "class");

  static SourceTree at(Path root) {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return NOT_WRITTEN.contains(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              // In a linked worktree .git is a file that names its repository.
              if (attributes.isRegularFile() && !file.equals(root.resolve(".git"))) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot walk " + root, e);
    }
    files.sort(null);
    return new SourceTree(root, List.copyOf(files));
  }

  /** The tree this class was compiled from, whichever folder the tests are started in. */
  static SourceTree ofThisProject() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve(".editorconfig"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not started inside the source tree");
      }
    }
    return at(folder);
  }

  Stream<Path> texts() {
    return files.stream().filter(file -> !NOT_TEXT.contains(extension(file)));
  }

  Stream<Path> withExtension(String extension) {
    return files.stream().filter(file -> extension(file).equals(extension));
  }

  String name(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static String extension(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
