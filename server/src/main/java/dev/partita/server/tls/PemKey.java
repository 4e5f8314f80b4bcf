package dev.partita.server.tls;

import dev.partita.MisuseException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A private key in a PEM file. Nothing of its contents is in any message. */
final class PemKey {

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
  private static final Pattern OTHER_FORM =
      Pattern.compile("-----BEGIN (?:RSA|EC|DSA|OPENSSH) PRIVATE KEY-----");
  private static final byte[] CHALLENGE = {'p', 'a', 'r', 't', 'i', 't', 'a'};

  private PemKey() {}

  /** Reads the key that belongs to a public key of the same kind. */
  static PrivateKey read(String field, Path file, PublicKey publicKey) {
    byte[] encoded = encoded(field, file);
    String kind = publicKey.getAlgorithm();
    try {
      return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (InvalidKeySpecException e) {
      throw new MisuseException(
          field, file + " holds no " + kind + " key, which the certificate's is; or it is damaged");
    } catch (NoSuchAlgorithmException e) {
      throw new MisuseException(field, "this Java knows no " + kind + " keys, as in " + file);
    }
  }

  private static byte[] encoded(String field, Path file) {
    String text = PemFile.text(field, file);
    if (text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")
        || text.contains("Proc-Type: 4,ENCRYPTED")) {
      throw new MisuseException(
          field,
          file
              + " is encrypted, and there is nobody to ask for its password; decrypt it with"
              + " openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW, and let only the server's user"
              + " read it");
    }
    Matcher key = PKCS8.matcher(text);
    if (key.find()) {
      try {
        return Base64.getMimeDecoder().decode(key.group(1).strip());
      } catch (IllegalArgumentException e) {
        throw new MisuseException(field, file + " is damaged: it is not in Base64");
      }
    }
    if (OTHER_FORM.matcher(text).find()) {
      throw new MisuseException(
          field,
          file
              + " is not in PKCS #8 form (-----BEGIN PRIVATE KEY-----); convert it with openssl"
              + " pkcs8 -topk8 -nocrypt -in FILE -out NEW");
    }
    throw new MisuseException(
        field,
        file
            + " holds no private key in PEM form: there is no line -----BEGIN PRIVATE KEY-----"
            + (text.contains("BEGIN CERTIFICATE-----") ? ", but a certificate" : ""));
  }

  /** Lets the key sign something that the certificate's has to recognise. */
  static void requirePair(
      Path keyFile, PrivateKey privateKey, Path certificateFile, PublicKey publicKey) {
    boolean pair;
    try {
      String algorithm =
          switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
          };
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(privateKey);
      signature.update(CHALLENGE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(CHALLENGE);
      pair = signature.verify(signed);
    } catch (GeneralSecurityException e) {
      pair = false;
    }
    if (!pair) {
      throw new MisuseException(
          "key", keyFile + " is not the key of the certificate in " + certificateFile);
    }
  }
}
