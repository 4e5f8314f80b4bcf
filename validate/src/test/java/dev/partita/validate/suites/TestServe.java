package dev.partita.validate.suites;

import dev.partita.Ledger;
import dev.partita.postgres.PostgresConfig;
import dev.partita.postgres.PostgresLedger;
import dev.partita.server.PartitaServer;
import dev.partita.server.ServerConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/** Programs that understand {@code serve} as far as the suite uses it, and may do it wrongly. */
final class TestServe {

  private TestServe() {}

  /** What stands between server and ledger. */
  interface Between {
    Ledger of(PostgresLedger real, PGSimpleDataSource source);
  }

  /** As it should be. */
  static final class Honest {
    private Honest() {}

    public static void main(String[] words) throws InterruptedException {
      serve(List.of(words), (real, source) -> real);
    }
  }

  /** Answers some transfers before they are committed. */
  static final class Hasty {
    private Hasty() {}

    public static void main(String[] words) throws InterruptedException {
      serve(List.of(words), BeforeCommit::of);
    }
  }

  private static void serve(List<String> words, Between between) throws InterruptedException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(option(words, "--url"));
    source.setUser(option(words, "--user"));
    source.setPassword(System.getenv("PARTITA_PASSWORD"));
    try (PostgresLedger ledger =
            PostgresLedger.open(
                source, PostgresConfig.builder().schema(option(words, "--schema")).build());
        PartitaServer server =
            PartitaServer.start(
                between.of(ledger, source),
                ServerConfig.DEFAULT.port(Integer.parseInt(option(words, "--port"))));
        PrintStream out =
            new PrintStream(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)) {
      out.println("{\"uri\":\"" + server.uri() + "\"}");
      new CountDownLatch(1).await();
    }
  }

  private static String option(List<String> words, String name) {
    return words.get(words.indexOf(name) + 1);
  }
}
