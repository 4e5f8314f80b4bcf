package dev.partita.client;

import dev.partita.MisuseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a PEM file, as all that a client trusts. */
final class TrustedCertificates {

  private static final String FIELD = "trustedCertificates";

  private TrustedCertificates() {}

  static SSLContext context(Path file) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int number = 0;
      for (Certificate certificate : read(file)) {
        store.setCertificateEntry("trusted-" + number, certificate);
        number++;
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new MisuseException(FIELD, file + " cannot be used: " + e.getMessage());
    }
  }

  private static Collection<? extends Certificate> read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new MisuseException(FIELD, file + " holds no certificate");
      }
      return found;
    } catch (NoSuchFileException e) {
      throw new MisuseException(FIELD, "there is no file " + file);
    } catch (CertificateException e) {
      throw new MisuseException(FIELD, file + " holds no certificates in PEM form");
    }
  }
}
