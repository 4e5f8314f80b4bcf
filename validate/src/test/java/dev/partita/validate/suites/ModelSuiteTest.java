package dev.partita.validate.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.AccountBalance;
import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.Ledger;
import dev.partita.PostResult;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.validate.Database;
import dev.partita.validate.Effort;
import dev.partita.validate.Place;
import dev.partita.validate.Run;
import dev.partita.validate.SuiteReport;
import dev.partita.validate.SuiteReport.Verdict;
import dev.partita.validate.Watcher;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ModelSuiteTest {

  private Path parent;

  @BeforeEach
  void makeParent() throws IOException {
    // Open to all: as root, the server runs as another user.
    parent =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "partita-model-" + System.nanoTime()));
  }

  @AfterEach
  void removeParent() throws IOException {
    if (Files.exists(parent)) {
      Database.delete(parent);
    }
  }

  @Test
  void holdsOnASoundLedger() {
    SuiteReport report = run(new ModelSuite());
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.HELD);
  }

  @Test
  @Tag("slow")
  void seesAWrongRunningBalance() {
    assertViolated(
        run(new ModelSuite(UnaryOperator.identity(), ModelSuiteTest::withWrongTenthBalance)));
  }

  @Test
  @Tag("slow")
  void seesADeadlineThatIsOffByOne() {
    assertViolated(run(new ModelSuite(ModelSuiteTest::lateByOne, UnaryOperator.identity())));
  }

  private static Ledger withWrongTenthBalance(Ledger ledger) {
    return wrapped(
        Ledger.class,
        ledger,
        answer -> answer instanceof PostResult result ? oneTooMuch(result) : answer);
  }

  private static PostResult oneTooMuch(PostResult result) {
    return new PostResult(
        result.items().stream()
            .map(
                item ->
                    new PostResult.Item(
                        item.transfers().stream().map(ModelSuiteTest::oneTooMuch).toList()))
            .toList());
  }

  private static TransferResult oneTooMuch(TransferResult result) {
    if (result.status() != TransferStatus.CREATED
        || result.orThrow().creditAfter().version() != 10) {
      return result;
    }
    Transfer right = result.orThrow();
    AccountBalance after = right.creditAfter();
    Counters counters = after.counters();
    Amount more = Amount.ofMinor(counters.creditsPosted().toBigInteger().add(BigInteger.ONE));
    return TransferResult.created(
        new Transfer(
            right.request(),
            right.amount(),
            right.released(),
            right.last(),
            right.group(),
            right.code(),
            right.reference(),
            right.recordedAt(),
            right.debitAfter(),
            new AccountBalance(
                after.account(),
                after.asset(),
                after.normal(),
                after.version(),
                counters.with(Side.CREDIT, more, counters.creditsPending()))));
  }

  /** Connections on which a hold is due only after its deadline, not at it. */
  private static DataSource lateByOne(DataSource source) {
    return wrapped(
        DataSource.class,
        source,
        answer -> answer instanceof Connection connection ? rewriting(connection) : answer);
  }

  private static Connection rewriting(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            ModelSuiteTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                arguments[0] =
                    ((String) arguments[0]).replace("WHERE deadline <=", "WHERE deadline <");
              }
              return invoke(method, connection, arguments);
            });
  }

  /** What to make of an answer. */
  private interface Change {
    Object of(Object answer);
  }

  private static <T> T wrapped(Class<T> type, T target, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            ModelSuiteTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> change.of(invoke(method, target, arguments))));
  }

  private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private SuiteReport run(ModelSuite suite) {
    long seed = Long.getLong("partita.seed", RandomGenerator.getDefault().nextLong(1L << 40));
    SuiteReport report =
        Run.of(suite, seed, Effort.SMOKE, new Place.Embedded(parent), Watcher.NOBODY);
    System.getLogger("test").log(System.Logger.Level.INFO, report);
    return report;
  }

  private static void assertViolated(SuiteReport report) {
    assertThat(report.verdict()).as(report.toString()).isEqualTo(Verdict.VIOLATED);
    assertThat(report.violations().getFirst())
        .contains("ledger and auditor agree", "shortest series", "Rerun with");
  }
}
