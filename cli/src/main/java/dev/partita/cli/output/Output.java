package dev.partita.cli.output;

import dev.partita.Page;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Prints the answers of commands, for people or as one JSON document. */
public final class Output {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Terminal terminal;
  private final boolean json;

  /** Prints to a terminal. */
  public Output(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /** Where this prints. */
  public Terminal terminal() {
    return terminal;
  }

  /** Whether the answer is a JSON document. */
  public boolean json() {
    return json;
  }

  /** A new JSON object. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Prints an answer in the form asked for. */
  public void answer(Supplier<ObjectNode> document, Consumer<Terminal> text) {
    if (json) {
      terminal.out().println(JSON.writeValueAsString(document.get()));
    } else {
      text.accept(terminal);
    }
    terminal.out().flush();
  }

  /** Prints a document to the error stream. */
  public void error(ObjectNode document) {
    terminal.err().println(JSON.writeValueAsString(document));
    terminal.err().flush();
  }

  /** Which pages of an answer are wanted. */
  public record Paging(@Nullable String cursor, boolean all) {}

  /** Where pages come from. */
  @FunctionalInterface
  public interface Source<T> {
    /** The page that begins at a cursor. */
    Page<T> at(@Nullable String cursor);
  }

  /**
   * Prints one page, or all from a cursor on, one after another without holding them.
   *
   * @param name what the items are called in the document
   */
  public <T> void pages(
      String name,
      Paging paging,
      Source<T> source,
      Function<T, ObjectNode> document,
      Table<T> table) {
    if (json) {
      documentPages(name, paging, source, document);
    } else {
      textPages(name, paging, source, table);
    }
    terminal.out().flush();
  }

  private <T> void documentPages(
      String name, Paging paging, Source<T> source, Function<T, ObjectNode> document) {
    // Asked before anything is printed: an error must not leave half a document.
    Page<T> page = source.at(paging.cursor());
    try (JsonGenerator generator =
        JSON.writer()
            .without(tools.jackson.core.StreamWriteFeature.AUTO_CLOSE_TARGET)
            .createGenerator(terminal.out())) {
      generator.writeStartObject();
      generator.writeName(name);
      generator.writeStartArray();
      while (true) {
        for (T item : page.items()) {
          generator.writeTree(document.apply(item));
        }
        if (!paging.all() || page.next() == null || readerIsGone()) {
          break;
        }
        page = source.at(page.next());
      }
      generator.writeEndArray();
      generator.writeName("next");
      if (page.next() == null) {
        generator.writeNull();
      } else {
        generator.writeString(page.next());
      }
      generator.writeEndObject();
    }
    terminal.out().println();
  }

  /** Such as {@code head}, which has seen enough. */
  private boolean readerIsGone() {
    return terminal.out().checkError();
  }

  private <T> void textPages(String name, Paging paging, Source<T> source, Table<T> table) {
    Page<T> page = source.at(paging.cursor());
    if (page.items().isEmpty()) {
      terminal.out().println("No " + name + ".");
      return;
    }
    table.print(terminal, page.items());
    while (paging.all() && page.next() != null && !readerIsGone()) {
      page = source.at(page.next());
      table.print(terminal, page.items());
    }
    if (page.next() != null) {
      terminal
          .out()
          .println(
              terminal.styled(
                  Terminal.Style.DIM,
                  "There is more: repeat with --cursor " + page.next() + ", or with --all"));
    }
  }
}
