package dev.partita.json;

import dev.partita.MisuseException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Instants as texts: RFC 3339 in UTC with six digits after the point. Years 0000 … 9999.
 *
 * <p>An instant finer than a microsecond, which no ledger records, is written with nine digits
 * rather than rounded.
 */
final class Times {

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter NANOS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Pattern FORM =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?Z");
  private static final int LENGTH_MAX = 30;

  private Times() {}

  static String format(Instant instant) {
    boolean wholeMicros = instant.equals(instant.truncatedTo(ChronoUnit.MICROS));
    return (wholeMicros ? MICROS : NANOS).format(instant);
  }

  static Instant parse(String field, String text) {
    if (text.length() > LENGTH_MAX || !FORM.matcher(text).matches()) {
      throw new MisuseException(
          field, "write a time in UTC with Z at its end, such as 2026-01-31T23:59:59.999999Z");
    }
    try {
      return LocalDateTime.parse(text.substring(0, text.length() - 1)).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new MisuseException(field, text + " is not a time: there is no such date or hour");
    }
  }
}
