package dev.partita.lab.report;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/**
 * Indents JSON down to the parts of a cell, each of which is one line: a figure, a gate, a
 * distribution. Two files can be compared line by line, and a run has not a hundred thousand.
 */
final class JsonLines extends DefaultPrettyPrinter {

  private static final long serialVersionUID = 1L;

  /** How deep the parts of a cell lie: the run, its cells, one of them, a list in it. */
  private static final int DEPTH = 4;

  JsonLines() {
    super(Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER));
    Indenter lines = new Lines();
    indentArraysWith(lines);
    indentObjectsWith(lines);
  }

  @Override
  public DefaultPrettyPrinter createInstance() {
    return new JsonLines();
  }

  @Override
  public void writeEndObject(JsonGenerator out, int entries) {
    end(out, entries, '}');
  }

  @Override
  public void writeEndArray(JsonGenerator out, int values) {
    end(out, values, ']');
  }

  private void end(JsonGenerator out, int inside, char bracket) {
    _nesting--;
    if (inside > 0 && _nesting < DEPTH) {
      _objectIndenter.writeIndentation(out, _nesting);
    } else if (inside > 0) {
      out.writeRaw(' ');
    }
    out.writeRaw(bracket);
  }

  private static final class Lines implements Indenter {
    private static final DefaultIndenter BREAK = new DefaultIndenter("  ", "\n");

    @Override
    public void writeIndentation(JsonGenerator out, int level) {
      if (level <= DEPTH) {
        BREAK.writeIndentation(out, level);
      } else {
        out.writeRaw(' ');
      }
    }

    @Override
    public boolean isInline() {
      return false;
    }
  }
}
