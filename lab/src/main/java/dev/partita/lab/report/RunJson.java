package dev.partita.lab.report;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.partita.MisuseException;
import dev.partita.lab.result.Run;
import dev.partita.lab.result.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs as JSON: the file that every report can be made from again. Fields stand in the order of the
 * records, so that two files can be compared line by line. Safe for use by many threads.
 */
public final class RunJson {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .defaultPrettyPrinter(new JsonLines())
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          // A run has hundreds of curves: pairs without names are enough for their points.
          .withConfigOverride(
              Times.Point.class,
              each -> each.setFormat(JsonFormat.Value.forShape(JsonFormat.Shape.ARRAY)))
          .build();

  private RunJson() {}

  /** The run as indented JSON, with a line feed at its end. */
  public static String write(Run run) {
    ObjectNode tree = JSON.valueToTree(run);
    Glossary.takeOut(tree);
    return JSON.writeValueAsString(tree) + "\n";
  }

  /** Writes the run to a file, in place of what is there. */
  public static void write(Run run, Path file) throws IOException {
    Files.writeString(file, write(run));
  }

  /**
   * The run that was written so.
   *
   * @throws MisuseException if the text is not a run, or one of a format that is not known here
   */
  public static Run read(String text) {
    return read(text, "the text");
  }

  /**
   * The run in a file.
   *
   * @throws MisuseException if there is no such file, if it holds no run, or one of a format that
   *     is not known here
   */
  public static Run read(Path file) {
    try {
      return read(Files.readString(file), file.toString());
    } catch (IOException e) {
      throw new MisuseException(
          file + " cannot be read (" + e + "): name the run.json of a run of the lab");
    }
  }

  private static Run read(String text, String where) {
    try {
      JsonNode tree = JSON.readTree(text);
      JsonNode format = tree.path("format");
      if (!format.isInt()) {
        throw new MisuseException(
            where + " has no format number: name the run.json of a run of the lab");
      }
      if (format.asInt() != Run.FORMAT) {
        throw new MisuseException(
            "%s has format %d, and this version reads format %d: read it with the version of Partita"
                    .formatted(where, format.asInt(), Run.FORMAT)
                + " that wrote it, named in about.version, or run the experiment again");
      }
      Glossary.putBack(tree.asObject());
      return JSON.treeToValue(tree, Run.class);
    } catch (JacksonException e) {
      throw new MisuseException(
          where + " is not a run of the lab: " + e.getOriginalMessage() + at(e));
    }
  }

  private static String at(JacksonException problem) {
    String path = problem.getPathReference();
    return problem.getPath().isEmpty() ? "" : " at " + path;
  }
}
