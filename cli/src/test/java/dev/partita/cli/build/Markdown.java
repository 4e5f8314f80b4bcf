package dev.partita.cli.build;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A document and where its links lead. Links to other hosts are not followed. */
final class Markdown {
  private static final Pattern FENCE = Pattern.compile("\\s*(?:```|~~~).*");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)|^\\s*\\[[^\\]^]+\\]:\\s*(\\S+)");
  private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.*?)\\s*#*");
  private static final Pattern HTML_ANCHOR = Pattern.compile("<a\\s+(?:id|name)=\"([^\"]+)\"");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*");

  private final Path file;
  private final List<String> prose = new ArrayList<>();

  Markdown(Path file) {
    this.file = file;
    boolean fenced = false;
    for (String line : SourceTree.lines(file)) {
      if (FENCE.matcher(line).matches()) {
        fenced = !fenced;
        prose.add("");
      } else {
        prose.add(fenced ? "" : line);
      }
    }
  }

  /** Each as {@code :line: what is wrong}. */
  List<String> brokenLinks() {
    List<String> broken = new ArrayList<>();
    for (int i = 0; i < prose.size(); i++) {
      String line = CODE.matcher(prose.get(i)).replaceAll("");
      for (MatchResult link : LINK.matcher(line).results().toList()) {
        String target = link.group(1) != null ? link.group(1) : link.group(2);
        if (!ELSEWHERE.matcher(target).matches() && !resolves(target)) {
          broken.add(":" + (i + 1) + ": leads nowhere: " + target);
        }
      }
    }
    return broken;
  }

  private boolean resolves(String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path linked =
        path.isEmpty()
            ? file
            : file.resolveSibling(URLDecoder.decode(path, StandardCharsets.UTF_8)).normalize();
    if (!Files.exists(linked)) {
      return false;
    }
    boolean checksAnchor = hash >= 0 && linked.toString().endsWith(".md");
    return !checksAnchor || new Markdown(linked).anchors().contains(target.substring(hash + 1));
  }

  /**
   * As code hosts make them: lower case, no punctuation, hyphens for spaces, repetitions counted.
   */
  private Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String line : prose) {
      HTML_ANCHOR.matcher(line).results().forEach(anchor -> anchors.add(anchor.group(1)));
      var heading = HEADING.matcher(line);
      if (heading.matches()) {
        String slug =
            heading
                .group(1)
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
                .replace(' ', '-');
        int repetition = seen.merge(slug, 1, Integer::sum) - 1;
        anchors.add(repetition == 0 ? slug : slug + "-" + repetition);
      }
    }
    return anchors;
  }
}
