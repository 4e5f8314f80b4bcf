package dev.partita.server.tls;

import dev.partita.MisuseException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** Certificates in a PEM file. */
final class PemCertificates {

  private static final String BEGIN = "-----BEGIN CERTIFICATE-----";

  private PemCertificates() {}

  static List<X509Certificate> read(String field, Path file) {
    String text = PemFile.text(field, file);
    if (!text.contains(BEGIN)) {
      throw new MisuseException(
          field,
          file
              + " holds no certificate in PEM form: there is no line "
              + BEGIN
              + (text.contains("PRIVATE KEY-----") ? ", but a private key" : ""));
    }
    List<X509Certificate> chain = new ArrayList<>();
    try {
      byte[] bytes = text.substring(text.indexOf(BEGIN)).getBytes(StandardCharsets.US_ASCII);
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes))) {
        if (each instanceof X509Certificate certificate) {
          chain.add(certificate);
        }
      }
    } catch (CertificateException e) {
      throw new MisuseException(field, file + " cannot be read as certificates: " + e.getMessage());
    }
    if (chain.isEmpty()) {
      throw new MisuseException(field, file + " holds no certificate that can be read");
    }
    return chain;
  }

  static void requireValid(String field, Path file, X509Certificate certificate, Instant now) {
    try {
      certificate.checkValidity(Date.from(now));
    } catch (CertificateExpiredException e) {
      throw new MisuseException(
          field, file + " expired on " + certificate.getNotAfter().toInstant() + "; renew it");
    } catch (CertificateNotYetValidException e) {
      throw new MisuseException(
          field,
          file
              + " is valid only from "
              + certificate.getNotBefore().toInstant()
              + " on; is this machine's clock right?");
    }
  }
}
