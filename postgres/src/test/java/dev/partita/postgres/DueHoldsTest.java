package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.TimeSource;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Looking for due holds happens several times a second, however many are open. */
class DueHoldsTest {

  @Test
  void looksAtDueHoldsOnly() throws SQLException {
    try (Stage stage = new Stage()) {
      stage.execute(
          "INSERT INTO %s.hold SELECT n, clock_timestamp() + make_interval(days => n), 1, 2, 0,"
              + " gen_random_uuid(), 1 FROM generate_series(1, 10000) n");
      stage.execute("ANALYZE %s.hold");
      Stream.of(null, (TimeSource) () -> Instant.EPOCH)
          .forEach(
              clock ->
                  assertThat(plan(stage.schema(), clock))
                      .anyMatch(line -> line.contains("Index Scan using hold_due"))
                      .anyMatch(line -> line.contains("Index Cond: (deadline <="))
                      .noneMatch(line -> line.contains("Rows Removed")));
    }
  }

  private static List<String> plan(String schema, @Nullable TimeSource clock) {
    SqlQuery explain =
        new SqlQuery().add("EXPLAIN ANALYZE ").add(Writer.dueHolds(schema, clock, 100));
    return new ReadSession(TestServer.application())
        .ask(
            "explaining",
            explain,
            rows -> {
              List<String> lines = new ArrayList<>();
              while (rows.next()) {
                lines.add(rows.getString(1));
              }
              return lines;
            });
  }
}
