package dev.partita.postgres;

import dev.partita.MisuseException;
import dev.partita.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a ledger in PostgreSQL works. Immutable; made by {@link #builder()} and validated once.
 *
 * @param schema the ledger's schema, {@code partita} by default
 * @param lanes writing connections, 1 … 8; more than one helps only where no account is hot
 * @param queueTransfersMax most transfers that wait at once, in all requests; a full queue is
 *     answered {@code QUEUE_FULL}
 * @param queueBytesMax most bytes that wait at once, by an estimate of what a request holds
 * @param batchTransfersMax most transfers committed together: an upper bound, not a target. A
 *     single larger request makes a batch of its own
 * @param patience how long a request may take before it is answered {@code TIMED_OUT}
 * @param contentionPatience how long a request may wait for accounts that others keep locked
 * @param synchronousCommit the lanes' {@code synchronous_commit}: {@code on} by default; {@code
 *     off} loses acknowledged transfers in a crash, {@code local} and {@code remote_write} can lose
 *     them in a failover
 * @param sweepInterval how often due holds are looked for; null: never by this node, only by {@code
 *     expireDue}
 * @param timeSource engine time; null: the database's clock, one clock for all nodes
 */
public record PostgresConfig(
    String schema,
    int lanes,
    int queueTransfersMax,
    long queueBytesMax,
    int batchTransfersMax,
    Duration patience,
    Duration contentionPatience,
    String synchronousCommit,
    @Nullable Duration sweepInterval,
    @Nullable TimeSource timeSource) {

  private static final Set<String> SYNCHRONOUS_COMMIT =
      Set.of("on", "remote_apply", "remote_write", "local", "off");

  /**
   * Checks every value.
   *
   * @throws MisuseException naming the value and its range
   */
  public PostgresConfig {
    PostgresSchema.requireName(schema);
    requireRange("lanes", lanes, 1, 8);
    requireRange("queueTransfersMax", queueTransfersMax, 1, 10_000_000);
    requireRange("queueBytesMax", queueBytesMax, 1_024, 1L << 40);
    requireRange("batchTransfersMax", batchTransfersMax, 1, 20_000);
    requirePositive("patience", patience);
    requirePositive("contentionPatience", contentionPatience);
    if (!SYNCHRONOUS_COMMIT.contains(synchronousCommit)) {
      throw new MisuseException(
          "synchronousCommit",
          "must be on, remote_apply, remote_write, local or off, was " + synchronousCommit);
    }
    if (sweepInterval != null) {
      requirePositive("sweepInterval", sweepInterval);
    }
  }

  /** The defaults. */
  public static PostgresConfig defaults() {
    return builder().build();
  }

  /** A builder that starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  private static void requireRange(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new MisuseException(field, "must be " + min + " … " + max + ", was " + value);
    }
  }

  private static void requirePositive(String field, Duration value) {
    if (value.isZero() || value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new MisuseException(field, "must be more than zero and at most a day, was " + value);
    }
  }

  /** Collects the values of a {@link PostgresConfig}. Not safe for use by several threads. */
  public static final class Builder {
    private String schema = "partita";
    private int lanes = 1;
    private int queueTransfersMax = 65_536;
    private long queueBytesMax = 64L << 20;
    private int batchTransfersMax = 8_192;
    private Duration patience = Duration.ofSeconds(30);
    private Duration contentionPatience = Duration.ofSeconds(10);
    private String synchronousCommit = "on";
    private @Nullable Duration sweepInterval = Duration.ofMillis(400);
    private @Nullable TimeSource timeSource;

    private Builder() {}

    /** See {@link PostgresConfig#schema()}. */
    public Builder schema(String value) {
      schema = Objects.requireNonNull(value);
      return this;
    }

    /** See {@link PostgresConfig#lanes()}. */
    public Builder lanes(int value) {
      lanes = value;
      return this;
    }

    /** See {@link PostgresConfig#queueTransfersMax()}. */
    public Builder queueTransfersMax(int value) {
      queueTransfersMax = value;
      return this;
    }

    /** See {@link PostgresConfig#queueBytesMax()}. */
    public Builder queueBytesMax(long value) {
      queueBytesMax = value;
      return this;
    }

    /** See {@link PostgresConfig#batchTransfersMax()}. */
    public Builder batchTransfersMax(int value) {
      batchTransfersMax = value;
      return this;
    }

    /** See {@link PostgresConfig#patience()}. */
    public Builder patience(Duration value) {
      patience = Objects.requireNonNull(value);
      return this;
    }

    /** See {@link PostgresConfig#contentionPatience()}. */
    public Builder contentionPatience(Duration value) {
      contentionPatience = Objects.requireNonNull(value);
      return this;
    }

    /** See {@link PostgresConfig#synchronousCommit()}. */
    public Builder synchronousCommit(String value) {
      synchronousCommit = Objects.requireNonNull(value);
      return this;
    }

    /** See {@link PostgresConfig#sweepInterval()}. */
    public Builder sweepInterval(@Nullable Duration value) {
      sweepInterval = value;
      return this;
    }

    /** See {@link PostgresConfig#timeSource()}. */
    public Builder timeSource(@Nullable TimeSource value) {
      timeSource = value;
      return this;
    }

    /**
     * The validated configuration.
     *
     * @throws MisuseException naming what is out of range
     */
    public PostgresConfig build() {
      return new PostgresConfig(
          schema,
          lanes,
          queueTransfersMax,
          queueBytesMax,
          batchTransfersMax,
          patience,
          contentionPatience,
          synchronousCommit,
          sweepInterval,
          timeSource);
    }
  }
}
