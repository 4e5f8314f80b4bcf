package dev.partita.cli.settings;

import java.util.Objects;

/** The page of documentation about all settings. */
public final class SettingsPage {

  private static final String HEAD =
      """
      # Configuration of the server

      What `partita serve` can be told. Each value is looked for in this order: the flag, the environment, the file, the default.
      `partita serve --print-config` shows all values in force and where each comes from, and starts nothing.

      The file is named by `--config FILE` or `PARTITA_CONFIG`: lines of `key = value` in UTF-8 (Java properties; `#` begins a comment).

      ```
      # partita.properties
      host = 0.0.0.0
      tls-certificate = /etc/partita/server.pem
      tls-key = /etc/partita/server-key.pem
      url = jdbc:postgresql://db.internal/ledger
      user = ledger_app
      ```

      A key that there is not, or one given twice or without a value, is an error, and so is a variable that is set but empty. The
      database's password is in the variable `PARTITA_PASSWORD` (or `PGPASSWORD`) and nowhere else. Times are `90`, `90s`, `15m`, `24h`.

      | key | flag | environment | default | range | meaning |
      |---|---|---|---|---|---|
      """;

  private static final String FOOT =
      """

      This page is made from the code that reads the settings; a test compares the two.
      """;

  private SettingsPage() {}

  /** The page, in Markdown. */
  public static String text() {
    StringBuilder page = new StringBuilder(HEAD);
    for (Setting setting : Setting.values()) {
      page.append("| `")
          .append(setting.key())
          .append("` | `")
          .append(setting.flag())
          .append(setting.isSwitch() ? "" : " " + setting.label())
          .append("` | ")
          .append(setting.variable() == null ? "" : "`" + setting.variable() + "`")
          .append(" | ")
          .append(Objects.requireNonNullElse(setting.byDefault(), "none"))
          .append(" | ")
          .append(setting.range())
          .append(" | ")
          .append(setting.meaning())
          .append(" |\n");
    }
    return page.append(FOOT).toString();
  }
}
