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
    String name = run.about().experiment();
    boolean beside = document.contains(begin(name + BESIDE));
    String result = document;
    if (beside) {
      result = new MarkdownSection(name + BESIDE).replacedIn(result, ReadmeTable.beside(run));
    }
    return beside && !document.contains(begin(name))
        ? result
        : new MarkdownSection(name).replacedIn(result, ReadmeTable.of(run));
  }

  private static String begin(String name) {
    return "<!-- lab:begin " + name + " -->";
  }
}
