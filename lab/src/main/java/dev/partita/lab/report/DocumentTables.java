package dev.partita.lab.report;

import dev.partita.MisuseException;
import dev.partita.lab.result.Run;

/** The tables of a run inside a Markdown document, between marks that name them. */
public final class DocumentTables {

  private static final String BESIDE = "-beside";

  private DocumentTables() {}

  /**
   * The document with the tables of a run brought up to date: {@code NAME}, the experiment's table,
   * and {@code NAME-beside}, its contenders with what they do and lack, where they are.
   *
   * @throws MisuseException if the document has no place for either
   */
  public static String in(String document, Run run) {
    MarkdownSection main = new MarkdownSection(run.about().experiment());
    MarkdownSection beside = new MarkdownSection(main.name() + BESIDE);
    if (!beside.isIn(document)) {
      return main.replacedIn(document, ReadmeTable.of(run));
    }
    String result = beside.replacedIn(document, ReadmeTable.beside(run));
    return main.isIn(result) ? main.replacedIn(result, ReadmeTable.of(run)) : result;
  }
}
