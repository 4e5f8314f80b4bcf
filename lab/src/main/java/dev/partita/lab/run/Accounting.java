package dev.partita.lab.run;

import dev.partita.lab.contender.Arena;
import dev.partita.lab.contender.Stored;
import dev.partita.lab.result.Figure;
import dev.partita.lab.server.BytesPerTransfer;
import dev.partita.lab.server.CpuAccount;
import dev.partita.lab.server.CpuUse;
import dev.partita.lab.server.ServerAccount;
import dev.partita.lab.server.ServerSnapshot;
import dev.partita.lab.server.ServerUse;
import dev.partita.lab.server.StoredBytes;
import dev.partita.lab.server.WaitShares;
import dev.partita.lab.server.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What one cell cost the server and the processors, from before its first operation to after its
 * last: warm-up included, and divided by all transfers made. For one thread.
 */
final class Accounting implements AutoCloseable {

  /** Sessions that stay open may keep what they did to themselves for ten seconds; it is little. */
  private static final Duration PATIENCE = Duration.ofMillis(400);

  private static final Duration WAIT_SAMPLES_EVERY = Duration.ofMillis(100);

  private static final double NANOS_PER_MICRO = 1_000;

  private final Arena arena;
  private final @Nullable Stored stored;
  private final ServerAccount account;
  private final CpuAccount cpu;
  private final @Nullable StoredBytes opening;
  private final ServerSnapshot before;
  private final Waits waits;
  private final CpuAccount.Reading cpuBefore;
  private final @Nullable ProcessHandle process;
  private final @Nullable Duration processBefore;
  private @Nullable Duration processAfter;
  private CpuAccount.@Nullable Reading cpuAfter;
  private @Nullable WaitShares waited;

  private Accounting(
      Arena arena, @Nullable Stored stored, @Nullable ProcessHandle process, ServerAccount account)
      throws SQLException {
    this.arena = arena;
    this.stored = stored;
    this.account = account;
    this.cpu = account.cpu();
    this.opening = stored == null ? null : account.stored(stored.relations());
    this.before = account.before();
    this.waits = account.waits(WAIT_SAMPLES_EVERY);
    this.process = process;
    this.processBefore = used(process);
    this.cpuBefore = cpu.read();
  }

  /**
   * Right before the load.
   *
   * @param process of the contender's own, beside database and generator; null if it has none
   */
  static Accounting begin(Arena arena, @Nullable Stored stored, @Nullable ProcessHandle process)
      throws SQLException {
    ServerAccount account = ServerAccount.open(arena.login(), arena.schema(), PATIENCE);
    try {
      return new Accounting(arena, stored, process, account);
    } catch (SQLException | RuntimeException e) {
      account.close();
      throw e;
    }
  }

  /** Right after the load: what sessions do at their end is not part of it. */
  void loadEnded() throws SQLException {
    cpuAfter = cpu.read();
    processAfter = used(process);
    waited = waits.stop();
  }

  /**
   * When no session of the contender is left.
   *
   * @param transfers made since the beginning
   */
  List<Figure> end(long transfers) throws SQLException {
    ServerUse use = ServerUse.between(before, account.after());
    List<Figure> figures = new ArrayList<>();
    if (stored != null && opening != null) {
      StoredBytes closing = account.stored(stored.relations());
      bytes(figures, BytesPerTransfer.of(opening, closing, use, transfers));
      figures.add(batches(stored));
    }
    log(figures, use, transfers);
    rows(figures, use);
    if (cpuAfter != null) {
      cpu(figures, CpuUse.between(cpuBefore, cpuAfter, transfers));
    }
    if (process != null) {
      figures.add(process(transfers));
    }
    if (waited != null) {
      waits(figures, waited);
    }
    return figures;
  }

  private static @Nullable Duration used(@Nullable ProcessHandle process) {
    return process == null ? null : process.info().totalCpuDuration().orElse(null);
  }

  private Figure process(long transfers) {
    String key = "cpu_process_per_transfer";
    String name = "CPU a transfer, the contender's own process";
    Duration before = processBefore;
    Duration after = processAfter;
    return before == null || after == null || transfers == 0
        ? Figure.notMeasured(key, name, "µs", "the system does not tell")
        : Figure.of(
            key, name, after.minus(before).toNanos() / NANOS_PER_MICRO / (double) transfers, "µs");
  }

  /** How many transfers shared a transaction, where the stored records tell. */
  private Figure batches(Stored records) throws SQLException {
    String key = "transfers_per_commit";
    String name = "transfers a transaction, as recorded";
    try (Connection connection = arena.connect()) {
      OptionalDouble mean = records.transfersPerCommit(connection);
      return mean.isPresent()
          ? Figure.of(key, name, mean.getAsDouble(), "")
          : Figure.notMeasured(key, name, "", "its records do not tell");
    }
  }

  private static void bytes(List<Figure> figures, BytesPerTransfer bytes) {
    String notes = String.join("; ", bytes.notes());
    figures.add(
        new Figure(
            "bytes_per_transfer",
            "stored bytes a transfer, after VACUUM",
            bytes.stored(),
            "bytes",
            notes));
    bytes
        .storedByRelation()
        .forEach(
            (name, each) ->
                figures.add(
                    Figure.of(
                        "bytes_per_transfer." + local(name),
                        "of these " + local(name),
                        each,
                        "bytes")));
    figures.add(
        new Figure(
            "growth_per_transfer",
            "growth of the database a transfer, dead rows included",
            bytes.databaseGrowth(),
            "bytes",
            notes));
    figures.add(
        new Figure(
            "wal_per_transfer",
            "WAL bytes a transfer",
            bytes.wal(),
            "bytes",
            "of the whole server"));
  }

  private static String local(String relation) {
    return relation.substring(relation.indexOf('.') + 1).replace("\"", "");
  }

  private static void log(List<Figure> figures, ServerUse use, long transfers) {
    String notes = String.join("; ", use.notes());
    Long syncs = use.wal().syncs();
    figures.add(
        new Figure(
            "transfers_per_sync",
            "transfers a sync of the log",
            syncs == null || syncs == 0 ? null : (Double) ((double) transfers / syncs),
            "",
            notes));
    figures.add(
        new Figure(
            "commits_per_sync",
            "commits a sync of the log (group-commit factor)",
            use.transactions().commitsPerSync(),
            "",
            notes));
    figures.add(count("wal_syncs", "syncs of the log", syncs));
    figures.add(count("wal_full_pages", "images of whole pages in the log", use.wal().fullPages()));
    figures.add(count("commits", "commits of the database", use.transactions().commits()));
    figures.add(count("rollbacks", "rollbacks of the database", use.transactions().rollbacks()));
    figures.add(count("deadlocks", "deadlocks", use.transactions().deadlocks()));
    figures.add(count("checkpoints", "checkpoints", checkpoints(use)));
  }

  private static @Nullable Long checkpoints(ServerUse use) {
    Long timed = use.checkpoints().timed();
    Long requested = use.checkpoints().requested();
    return timed == null || requested == null ? null : (Long) (timed + requested);
  }

  private static void rows(List<Figure> figures, ServerUse use) {
    figures.add(count("rows_updated", "rows updated", use.rows().updated()));
    Double share = use.rows().hotShare();
    figures.add(
        new Figure(
            "hot_share",
            "updates without a new index entry (HOT)",
            share == null ? null : (Double) (100 * share),
            "%",
            share == null ? "no rows were updated" : ""));
    figures.add(count("dead_rows", "dead rows at the end", use.rows().deadAtEnd()));
  }

  private static Figure count(String key, String name, @Nullable Long value) {
    return new Figure(
        key,
        name,
        value == null ? null : (Double) value.doubleValue(),
        "",
        value == null ? "not available here" : "");
  }

  private static void cpu(List<Figure> figures, CpuUse use) {
    String notes = String.join("; ", use.notes());
    figures.add(cpu("cpu_client_per_transfer", "CPU a transfer, client", use.client(), notes));
    figures.add(
        cpu(
            "cpu_sessions_per_transfer",
            "CPU a transfer, server's sessions",
            use.backends(),
            notes));
    figures.add(
        cpu(
            "cpu_background_per_transfer",
            "CPU a transfer, server's other processes",
            use.otherServer(),
            notes));
  }

  private static Figure cpu(String key, String name, CpuUse.@Nullable Cpu cpu, String notes) {
    Double micros = cpu == null ? null : cpu.microsPerTransfer();
    return new Figure(key, name, micros, "µs", micros == null ? notes : "");
  }

  private static void waits(List<Figure> figures, WaitShares waited) {
    String notes =
        waited.samples()
            + " samples"
            + (waited.sampleMicrosMean() == null
                ? ""
                : ", each " + Math.round(waited.sampleMicrosMean()) + " µs of the server's time");
    figures.add(
        new Figure(
            "active_sessions",
            "sessions in the middle of something",
            waited.activeSessionsMean(),
            "",
            notes));
    for (WaitShares.Share each : waited.shares()) {
      figures.add(
          new Figure(
              "wait." + each.event(), "of these " + each.event(), 100 * each.share(), "%", notes));
    }
  }

  @Override
  public void close() throws SQLException {
    waits.close();
    account.close();
  }
}
