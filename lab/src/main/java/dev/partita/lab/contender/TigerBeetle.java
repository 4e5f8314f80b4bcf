package dev.partita.lab.contender;

import dev.partita.MisuseException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * TigerBeetle, a database for double-entry bookkeeping, by its address and through its own Java
 * client, which the lab does not bring along. Nothing of that client is loaded before a run with
 * it. What is stored there is copied into the arena's schema for reconciliation.
 */
public final class TigerBeetle implements Contender {

  /** What has to be on the class path; the version the lab was compiled against. */
  private static final String CLIENT = "com.tigerbeetle:tigerbeetle-java:0.16.30";

  private static final String OPTION = "tigerbeetle";
  private final String addresses;

  private TigerBeetle(String addresses) {
    this.addresses = addresses;
  }

  /**
   * At an address of cluster 0.
   *
   * @param addresses IP address and port, such as 127.0.0.1:3000; of several replicas
   *     comma-separated
   * @throws MisuseException if the client is not on the class path
   */
  public static TigerBeetle at(String addresses) {
    try {
      Class.forName("com.tigerbeetle.Client", false, TigerBeetle.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new MisuseException(
          OPTION, "its client is missing; add the jar of " + CLIENT + " to the class path");
    }
    return new TigerBeetle(addresses);
  }

  @Override
  public Card card() {
    return new Card(
            "tigerbeetle",
            "another database: one request for each operation, and its client and server make batches"
                + " of what waits",
            "no SQL, no transaction with other data; one limit an account",
            List.of("create_transfers"),
            1,
            "strict serializability",
            "result of every transfer",
            Integer.MAX_VALUE)
        .durable("its own log, synced before the answer");
  }

  @Override
  public Set<Ability> abilities() {
    return Set.of(Ability.REFUSES, Ability.UNIQUE_IDS);
  }

  @Override
  public Stage stage(Arena arena) throws SQLException {
    return TigerBeetleStage.open(arena, addresses);
  }
}
