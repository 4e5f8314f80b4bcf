package dev.partita.server.tls;

import dev.partita.MisuseException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * What a server needs to speak HTTPS: its certificate with those above it, and the private key.
 * Immutable. Read once: a renewed certificate takes a restart.
 */
public final class ServerTls {

  /** The versions spoken; older ones are broken. */
  public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  private static final char[] IN_MEMORY = {};

  private final SSLContext context;

  private ServerTls(SSLContext context) {
    this.context = context;
  }

  /**
   * Reads and checks two PEM files.
   *
   * @param certificate the server's certificate first, then those of the authorities above it
   * @param key the private key that belongs to it, in PKCS #8 form and not encrypted
   * @param now when the certificate has to be valid
   * @throws MisuseException naming {@code certificate} or {@code key}, the file, and what is wrong:
   *     unreadable, no PEM, encrypted, another certificate's key, expired or not valid yet
   */
  public static ServerTls read(Path certificate, Path key, Instant now) {
    List<X509Certificate> chain =
        PemCertificates.read("certificate", Objects.requireNonNull(certificate, "certificate"));
    X509Certificate own = chain.getFirst();
    PemCertificates.requireValid("certificate", certificate, own, now);
    PrivateKey privateKey =
        PemKey.read("key", Objects.requireNonNull(key, "key"), own.getPublicKey());
    PemKey.requirePair(key, privateKey, certificate, own.getPublicKey());
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", privateKey, IN_MEMORY, chain.toArray(X509Certificate[]::new));
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, IN_MEMORY);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return new ServerTls(context);
    } catch (GeneralSecurityException | IOException e) {
      throw new MisuseException(
          "certificate", certificate + " and " + key + " cannot be used: " + e.getMessage());
    }
  }

  /** For whoever listens. */
  public SSLContext context() {
    return context;
  }
}
