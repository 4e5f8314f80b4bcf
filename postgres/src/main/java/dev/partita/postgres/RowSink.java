package dev.partita.postgres;

import dev.partita.Amount;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes the values of rows, column by column. */
interface RowSink {
  void startRow(int columns);

  void int2(short value);

  void int4(int value);

  void int8(long value);

  void int4OrNull(@Nullable Integer value);

  void uuid(@Nullable UUID value);

  void numeric(@Nullable Amount value);

  void timestamp(@Nullable Instant value);

  void text(@Nullable String value);

  void json(@Nullable String value);
}
