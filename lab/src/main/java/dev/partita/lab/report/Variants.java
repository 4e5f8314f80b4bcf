package dev.partita.lab.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What is said of many arms, taken apart into what they share and how they differ.
 *
 * @param common the words that all begin with, up to a comma; may be empty
 * @param different what follows, as it first occurs; empty where all say the same
 * @param some whether nothing follows in others
 */
record Variants(String common, List<String> different, boolean some) {

  private static final String COMMA = ", ";
  private static final int IN_SIGHT = 4;

  static Variants of(Collection<String> said) {
    List<String> all = new ArrayList<>(new LinkedHashSet<>(said));
    all.remove("");
    if (all.size() < 2) {
      return new Variants(String.join("", all), List.of(), false);
    }
    String common = all.getFirst();
    while (!common.isEmpty() && !sharedBy(all, common)) {
      common = common.substring(0, Math.max(common.lastIndexOf(COMMA), 0));
    }
    int length = common.isEmpty() ? 0 : common.length() + COMMA.length();
    List<String> different =
        all.stream()
            .map(each -> each.substring(Math.min(length, each.length())))
            .filter(each -> !each.isEmpty())
            .toList();
    return new Variants(common, different, different.size() < all.size());
  }

  private static boolean sharedBy(List<String> all, String beginning) {
    return all.stream()
        .allMatch(each -> each.equals(beginning) || each.startsWith(beginning + COMMA));
  }

  /** The common words, then a few of the others in sight and the rest in a list that opens. */
  Markup markup() {
    Markup html = new Markup().text(common);
    if (different.isEmpty()) {
      return html;
    }
    int shown = different.size() > IN_SIGHT + 1 ? IN_SIGHT : different.size();
    String few = String.join("; ", different.subList(0, shown));
    html.text(common.isEmpty() ? "" : some ? "; in some arms " : ": ").text(few);
    if (shown < different.size()) {
      html.start("details").element("summary", "and " + (different.size() - shown) + " more");
      html.text(String.join("; ", different.subList(shown, different.size())) + ".");
      html.end();
    }
    return html;
  }
}
