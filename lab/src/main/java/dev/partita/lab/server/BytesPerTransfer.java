package dev.partita.lab.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transfer costs on disk, in three definitions that differ by a lot.
 *
 * @param transfers what was divided by: those that were committed between the two ends
 * @param stored growth of the contender's tables, their indexes and toast, both ends measured after
 *     VACUUM and CHECKPOINT: what stays
 * @param storedByRelation the same, table by table
 * @param databaseGrowth growth of the whole database while it ran, dead rows included, before
 *     anybody but autovacuum cleared up
 * @param wal bytes logged: what a standby and an archive are sent
 * @param notes what a reader has to know
 */
public record BytesPerTransfer(
    long transfers,
    @Nullable Double stored,
    Map<String, Double> storedByRelation,
    @Nullable Double databaseGrowth,
    @Nullable Double wal,
    List<String> notes) {

  /** Takes copies; the order stays. */
  public BytesPerTransfer {
    storedByRelation = Collections.unmodifiableMap(new LinkedHashMap<>(storedByRelation));
    notes = List.copyOf(notes);
  }

  /**
   * Divides.
   *
   * @param opening sizes before the first of the transfers, accounts already there
   * @param closing sizes after the last one
   * @param use of the server between snapshots taken inside those two
   * @param transfers committed in between, warm-up included
   */
  public static BytesPerTransfer of(
      StoredBytes opening, StoredBytes closing, ServerUse use, long transfers) {
    List<String> notes = new ArrayList<>();
    closing.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
    if (transfers <= 0) {
      notes.add("bytes per transfer not measured: there were no transfers");
      return new BytesPerTransfer(transfers, null, Map.of(), null, null, notes);
    }
    Map<String, Long> before = new LinkedHashMap<>();
    opening.relations().forEach(each -> before.put(each.name(), each.bytes()));
    Map<String, Double> byRelation = new LinkedHashMap<>();
    for (StoredBytes.Relation each : closing.relations()) {
      long grown = each.bytes() - before.getOrDefault(each.name(), 0L);
      byRelation.put(each.name(), (double) grown / transfers);
    }
    return new BytesPerTransfer(
        transfers,
        (double) (closing.bytes() - opening.bytes()) / transfers,
        byRelation,
        each(use.databaseGrowthBytes(), transfers),
        each(use.wal().bytes(), transfers),
        notes);
  }

  private static @Nullable Double each(@Nullable Long bytes, long transfers) {
    return bytes == null ? null : (Double) ((double) bytes / transfers);
  }
}
