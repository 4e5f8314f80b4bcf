package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.AccountBalance;
import dev.partita.Amount;
import dev.partita.Counters;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferKind;
import dev.partita.TransferStatus;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Faults planted in an engine are found, and shown in a few operations. */
class PlantedFaultTest {

  private static final int OPERATIONS = 400;
  private static final int SEEDS = 5;

  /** Decides two captures in a row from the same state, so that the first is overwritten. */
  private static final class LosesUpdates extends Auditor {
    @Override
    void append(Transfer transfer) {
      Transfer before = books().records().isEmpty() ? null : books().records().getLast();
      super.append(transfer);
      if (before != null
          && before.kind() == TransferKind.POST
          && transfer.kind() == TransferKind.POST
          && before.debit().equals(transfer.debit())) {
        books().require(transfer.debit()).lines.remove(before);
      }
    }
  }

  /** Lets a hold be resolved at its deadline. */
  private static final class LateByOneMicrosecond extends Auditor {
    @Override
    boolean reached(Instant time, Instant deadline) {
      return time.isAfter(deadline);
    }
  }

  /** Shows one unit too much after captures. */
  private static final class WrongRunningBalance extends Auditor {
    @Override
    void append(Transfer transfer) {
      boolean wrong = transfer.kind() == TransferKind.POST && !transfer.last();
      super.append(wrong ? oneMore(transfer) : transfer);
    }

    private static Transfer oneMore(Transfer transfer) {
      AccountBalance right = transfer.creditAfter();
      Counters counters = right.counters();
      Amount more = Amount.ofMinor(counters.creditsPosted().toBigInteger().add(BigInteger.ONE));
      return new Transfer(
          transfer.request(),
          transfer.amount(),
          transfer.released(),
          transfer.last(),
          transfer.group(),
          transfer.code(),
          transfer.reference(),
          transfer.recordedAt(),
          transfer.debitAfter(),
          new AccountBalance(
              right.account(),
              right.asset(),
              right.normal(),
              right.version(),
              counters.with(Side.CREDIT, more, counters.creditsPending())));
    }
  }

  /** Leaves behind what a group recorded before it was refused. */
  private static final class GroupsNotWhole extends Auditor {
    @Override
    void takeBack(int count) {
      // Nothing is taken back.
    }
  }

  /** Forgets old ids, as a ledger does whose keys expire, and so records them again. */
  private static final class RecordsDuplicates extends Auditor {
    @Override
    @Nullable Transfer stored(UUID id) {
      Transfer stored = super.stored(id);
      return stored != null && books().records().indexOf(stored) < 5 ? null : stored;
    }
  }

  /** Looks at the other limit too. */
  private static final class ChecksBothLimits extends Auditor {
    @Override
    @Nullable TransferStatus brokenLimit(AuditedAccount account, Side side, BigInteger amount) {
      TransferStatus broken = super.brokenLimit(account, side, amount);
      return broken == null && account.spendable().signum() < 0 && account.opened.code() == 0
          ? super.brokenLimit(account, side.opposite(), amount.negate())
          : broken;
    }
  }

  @Test
  void findsALostUpdate() {
    assertFound(LosesUpdates::new, 9);
  }

  @Test
  void findsADeadlineThatIsOffByOne() {
    assertFound(LateByOneMicrosecond::new, 7);
  }

  @Test
  void findsAWrongRunningBalance() {
    assertFound(WrongRunningBalance::new, 6);
  }

  @Test
  void findsAGroupThatIsNotWhole() {
    assertFound(GroupsNotWhole::new, 6);
  }

  @Test
  void findsADuplicate() {
    assertFound(RecordsDuplicates::new, 6);
  }

  @Test
  void findsALimitThatHoldsBackAMovementBack() {
    assertFound(ChecksBothLimits::new, 9);
  }

  /** Some seed must find the fault, and what it shows must be short and readable. */
  private static void assertFound(Supplier<Auditor> faulty, int operationsMax) {
    LedgerUnderTest engine = clock -> new AuditorLedger(clock, faulty.get());
    List<String> reports = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS && reports.isEmpty(); seed++) {
      long tried = seed;
      AssertionError report =
          catchThrowableOfType(
              AssertionError.class, () -> ModelCheck.run(engine, tried, OPERATIONS));
      if (report != null) {
        reports.add(report.getMessage());
        assertThat(report)
            .hasMessageContaining("-Dpartita.seed=" + tried)
            .hasMessageContaining("-Dpartita.operations=" + OPERATIONS)
            .hasMessageContaining("expected");
      }
    }
    assertThat(reports).as("reports of the fault").hasSize(1);
    String report = reports.getFirst();
    String operations = report.split("\n\n", -1)[1];
    assertThat(operations.lines().filter(line -> !line.startsWith(" ")))
        .as(report)
        .hasSizeLessThanOrEqualTo(operationsMax);
  }
}
