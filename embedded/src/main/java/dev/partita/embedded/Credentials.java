package dev.partita.embedded;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Properties;

/**
 * The passwords of the three roles. They keep other users of this machine out: the port on the
 * loopback interface is open to all of them.
 */
record Credentials(String superuserPassword, String ownerPassword, String applicationPassword) {

  static final String SUPERUSER = "postgres";
  static final String OWNER = "partita_owner";
  static final String APPLICATION = "partita_app";

  private static final int PASSWORD_BYTES = 24;

  static Credentials random() {
    SecureRandom random = new SecureRandom();
    return new Credentials(password(random), password(random), password(random));
  }

  private static String password(SecureRandom random) {
    byte[] bytes = new byte[PASSWORD_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  void write(Path file) throws IOException {
    DurableFiles.write(
        file,
        """
        # Passwords of the embedded PostgreSQL: who can read this file can read and change the ledger.
        %s=%s
        %s=%s
        %s=%s
        """
            .formatted(
                SUPERUSER,
                superuserPassword,
                OWNER,
                ownerPassword,
                APPLICATION,
                applicationPassword));
  }

  static Credentials read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return new Credentials(
        required(file, properties, SUPERUSER),
        required(file, properties, OWNER),
        required(file, properties, APPLICATION));
  }

  private static String required(Path file, Properties properties, String role) {
    String password = properties.getProperty(role, "");
    if (password.isEmpty()) {
      throw Failures.corruption(
          file + " holds no password for " + role + ". Restore the file from a backup.");
    }
    return password;
  }

  @Override
  public String toString() {
    return "Credentials[hidden]";
  }
}
