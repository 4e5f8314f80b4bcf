package dev.partita.client;

import dev.partita.MisuseException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How to reach a server; immutable, checked when it is made. {@code of(baseUri)} is enough for
 * most.
 *
 * @param baseUri where the server is, {@code http} or {@code https}, without query and fragment; a
 *     path in it comes before {@code /v1}
 * @param connectTimeout how long making a connection may take, 1 ms … 1 h
 * @param requestTimeout how long one attempt may take, from sending it to the last byte of its
 *     answer, 1 ms … 24 h
 * @param patience how long after a call began an attempt whose connection failed is made again;
 *     zero: never. A call lasts no longer than patience and one request time-out together
 * @param apiKey sent as {@code Authorization: Bearer}; empty for none
 * @param answerBytesMax the largest answer that is read, at least 1 KiB; a page of 10,000 transfers
 *     without metadata has about 15 MB
 * @param sslContext whom to trust over HTTPS, and who to be; empty for what the JVM trusts
 */
public record PartitaClientConfig(
    URI baseUri,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration patience,
    Optional<String> apiKey,
    long answerBytesMax,
    Optional<SSLContext> sslContext) {

  private static final Duration TIMEOUT_MIN = Duration.ofMillis(1);
  private static final Duration CONNECT_TIMEOUT_MAX = Duration.ofHours(1);
  private static final Duration TIMEOUT_MAX = Duration.ofHours(24);
  private static final long ANSWER_BYTES_MIN = 1 << 10;

  /**
   * Checks every value.
   *
   * @throws MisuseException naming the value that is wrong and what it may be
   */
  public PartitaClientConfig {
    baseUri = checkedBase(baseUri);
    checkDuration("connectTimeout", connectTimeout, TIMEOUT_MIN, CONNECT_TIMEOUT_MAX);
    checkDuration("requestTimeout", requestTimeout, TIMEOUT_MIN, TIMEOUT_MAX);
    checkDuration("patience", patience, Duration.ZERO, TIMEOUT_MAX);
    if (apiKey.isPresent() && !apiKey.get().matches("[!-~]+")) {
      throw new MisuseException("apiKey", "must be printable ASCII characters without spaces");
    }
    if (answerBytesMax < ANSWER_BYTES_MIN) {
      throw new MisuseException(
          "answerBytesMax", "must be at least " + ANSWER_BYTES_MIN + ", was " + answerBytesMax);
    }
  }

  private static URI checkedBase(URI uri) {
    boolean http =
        "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
    if (!http || uri.getHost() == null) {
      throw new MisuseException(
          "baseUri", "must be an address such as http://127.0.0.1:7070, was " + uri);
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null || uri.getRawUserInfo() != null) {
      throw new MisuseException("baseUri", "must have no user, query or fragment");
    }
    String text = uri.toString();
    return text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : uri;
  }

  private static void checkDuration(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new MisuseException(name, "must be between " + min + " and " + max + ", was " + value);
    }
  }

  /** A server at this address, everything else as the module thinks best. */
  public static PartitaClientConfig of(URI baseUri) {
    return builder(baseUri).build();
  }

  /** Starts a configuration for a server at this address. */
  public static Builder builder(URI baseUri) {
    return new Builder(baseUri);
  }

  /** Everything but the API key. */
  @Override
  public String toString() {
    return "PartitaClientConfig[baseUri="
        + baseUri
        + ", connectTimeout="
        + connectTimeout
        + ", requestTimeout="
        + requestTimeout
        + ", patience="
        + patience
        + ", apiKey="
        + (apiKey.isPresent() ? "(hidden)" : "(none)")
        + ", answerBytesMax="
        + answerBytesMax
        + ", sslContext="
        + (sslContext.isPresent() ? "(given)" : "(default)")
        + "]";
  }

  /** Collects values; {@link #build()} checks them. For one thread. */
  public static final class Builder {

    private final URI baseUri;
    private Duration connectTimeout = Duration.ofSeconds(5);
    // Longer than the patience of the server's own engine, whose answer says more.
    private Duration requestTimeout = Duration.ofSeconds(60);
    private Duration patience = Duration.ofSeconds(30);
    private Optional<String> apiKey = Optional.empty();
    private long answerBytesMax = 256L << 20;
    private Optional<SSLContext> sslContext = Optional.empty();

    private Builder(URI baseUri) {
      this.baseUri = Objects.requireNonNull(baseUri, "baseUri");
    }

    /** How long making a connection may take; 5 s if not set. */
    public Builder connectTimeout(Duration value) {
      connectTimeout = value;
      return this;
    }

    /** How long one attempt may take; 60 s if not set. */
    public Builder requestTimeout(Duration value) {
      requestTimeout = value;
      return this;
    }

    /** How long to try again when the connection fails; 30 s if not set. */
    public Builder patience(Duration value) {
      patience = value;
      return this;
    }

    /** The key to authenticate with; none if not set. */
    public Builder apiKey(String value) {
      apiKey = Optional.of(value);
      return this;
    }

    /** The largest answer that is read; 256 MiB if not set. */
    public Builder answerBytesMax(long value) {
      answerBytesMax = value;
      return this;
    }

    /** What to speak HTTPS with; the JVM's default if not set. */
    public Builder sslContext(SSLContext value) {
      sslContext = Optional.of(value);
      return this;
    }

    /**
     * Trusts the certificates in a PEM file, and no others: the server's own, or those of the
     * authority that it comes from. Read now.
     *
     * @throws MisuseException if the file cannot be read as certificates
     */
    public Builder trustedCertificates(Path pemFile) {
      return sslContext(TrustedCertificates.context(pemFile));
    }

    /**
     * The configuration.
     *
     * @throws MisuseException naming the value that is wrong and what it may be
     */
    public PartitaClientConfig build() {
      return new PartitaClientConfig(
          baseUri, connectTimeout, requestTimeout, patience, apiKey, answerBytesMax, sslContext);
    }
  }
}
