package dev.partita.lab.server;

import java.util.List;

/**
 * How large tables are on disk, after dead rows were cleared away.
 *
 * @param relations one by one
 * @param notes what a reader has to know
 */
public record StoredBytes(List<Relation> relations, List<String> notes) {

  /** Takes copies. */
  public StoredBytes {
    relations = List.copyOf(relations);
    notes = List.copyOf(notes);
  }

  /**
   * One table; a partitioned one with all its partitions.
   *
   * @param name with its schema, as it was asked for
   * @param heapBytes its rows, with the maps of free and visible pages
   * @param indexBytes all its indexes
   * @param toastBytes values too long for a row, with their index
   */
  public record Relation(String name, long heapBytes, long indexBytes, long toastBytes) {

    /** All of it. */
    public long bytes() {
      return heapBytes + indexBytes + toastBytes;
    }
  }

  /** All of them. */
  public long bytes() {
    return relations.stream().mapToLong(Relation::bytes).sum();
  }
}
