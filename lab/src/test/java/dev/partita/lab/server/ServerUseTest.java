package dev.partita.lab.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was not measured is null, with the reason, and never zero. */
class ServerUseTest {

  private static ServerSnapshot snapshot(
      String started, Map<String, Long> counters, @Nullable String syncMethod) {
    return new ServerSnapshot(started, counters, Map.of("wal", "monday"), 3, syncMethod, List.of());
  }

  @Test
  void leavesOutWhatTheServerDoesNotHave() {
    ServerUse use =
        ServerUse.between(
            snapshot("a", Map.of("database.commits", 10L), "fsync"),
            snapshot("a", Map.of("database.commits", 15L), "fsync"));
    assertThat(use.transactions().commits()).isEqualTo(5);
    assertThat(use.wal()).isEqualTo(new ServerUse.Wal(null, null, null, null, null, null, null));
    assertThat(use.checkpoints()).isEqualTo(new ServerUse.Checkpoints(null, null, null));
    assertThat(use.databaseGrowthBytes()).isNull();
  }

  @Test
  void measuresNothingAcrossARestart() {
    Map<String, Long> before = Map.of("wal.bytes", 1L, "database.commits", 1L);
    Map<String, Long> after = Map.of("wal.bytes", 9L, "database.commits", 9L);
    ServerUse use =
        ServerUse.between(snapshot("a", before, "fsync"), snapshot("b", after, "fsync"));
    assertThat(use.wal().bytes()).isNull();
    assertThat(use.transactions().commits()).isNull();
    assertThat(use.notes()).contains("the server was restarted: its counters do not span that");
  }

  @Test
  void doesNotTakeUncountedSyncsForNone() {
    Map<String, Long> counters = Map.of("walSync.syncs", 0L, "wal.bytes", 5L);
    ServerUse use = ServerUse.between(snapshot("a", counters, null), snapshot("a", counters, null));
    assertThat(use.wal().syncs()).isNull();
    assertThat(use.notes()).anyMatch(note -> note.startsWith("WAL syncs not measured"));
  }

  @Test
  void saysWhenACounterShrank() {
    ServerUse use =
        ServerUse.between(
            snapshot("a", Map.of("tables.inserted", 9L), "fsync"),
            snapshot("a", Map.of("tables.inserted", 4L), "fsync"));
    assertThat(use.rows().inserted()).isNull();
    assertThat(use.notes()).anyMatch(note -> note.startsWith("tables.inserted not measured"));
  }

  @Test
  void saysWhenOthersShareTheLog() {
    ServerUse use =
        ServerUse.between(
            snapshot("a", Map.of("database.commits", 0L, "others.commits", 0L), "fsync"),
            snapshot("a", Map.of("database.commits", 100L, "others.commits", 2L), "fsync"));
    assertThat(use.notes()).anyMatch(note -> note.startsWith("2 commits of other databases"));
  }

  @Test
  void dividesByNoTransfers() {
    StoredBytes none = new StoredBytes(List.of(), List.of());
    ServerSnapshot snapshot = snapshot("a", Map.of(), "fsync");
    BytesPerTransfer each =
        BytesPerTransfer.of(none, none, ServerUse.between(snapshot, snapshot), 0);
    assertThat(each.stored()).isNull();
    assertThat(each.notes()).anyMatch(note -> note.contains("there were no transfers"));
  }
}
