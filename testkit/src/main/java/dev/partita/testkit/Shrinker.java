package dev.partita.testkit;

import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.GroupRequest;
import dev.partita.Ledger;
import dev.partita.MisuseException;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.TransferRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a short series of operations that an engine and the {@link Auditor} disagree about:
 * leaves out operations, then items, members and accounts, and halves amounts, as long as they
 * still disagree about something.
 */
final class Shrinker {

  /** A short failure is worth waiting for, but not long. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The shortest series found and how it fails. */
  record Result(List<Operation> operations, Throwable failure) {}

  private final LedgerUnderTest engine;
  private final long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
  private List<Operation> shortest = List.of();
  private Throwable failure = new IllegalStateException("nothing failed");

  Shrinker(LedgerUnderTest engine) {
    this.engine = engine;
  }

  Result shrink(List<Operation> operations, Throwable first) {
    shortest = List.copyOf(operations);
    failure = first;
    boolean shorter = true;
    while (shorter && patient()) {
      shorter = withoutOperations();
      shorter |= withoutParts();
      shorter |= withEach(this::withSmallerAmount);
      shorter |= withEach(this::withoutFrills);
    }
    return new Result(shortest, failure);
  }

  private boolean patient() {
    return System.nanoTime() - deadlineNanos < 0;
  }

  /** Leaves out ever smaller runs of operations, from the end, where most are not needed. */
  private boolean withoutOperations() {
    boolean shorter = false;
    for (int run = Math.max(1, shortest.size() / 2); run >= 1; run /= 2) {
      for (int from = shortest.size() - run; from >= 0 && patient(); from -= run) {
        List<Operation> fewer = new ArrayList<>(shortest.subList(0, from));
        fewer.addAll(shortest.subList(Math.min(from + run, shortest.size()), shortest.size()));
        shorter |= stillFails(fewer);
        from = Math.min(from, shortest.size());
      }
    }
    return shorter;
  }

  private boolean withoutParts() {
    boolean shorter = false;
    for (int i = 0; i < shortest.size(); i++) {
      for (int part = parts(shortest.get(i)) - 1; part >= 0 && patient(); part--) {
        // A failure may show earlier than before, so that the series ends before this operation.
        if (i >= shortest.size()) {
          break;
        }
        Operation less = without(shortest.get(i), part);
        shorter |= less != null && stillFails(with(i, less));
      }
    }
    return shorter;
  }

  /** Tries a change on every transfer of every request. */
  private boolean withEach(BiPredicate<Integer, Integer> change) {
    boolean shorter = false;
    for (int i = 0; i < shortest.size(); i++) {
      if (shortest.get(i) instanceof Operation.Post) {
        for (int part = parts(shortest.get(i)) - 1; part >= 0 && patient(); part--) {
          // A failure may show earlier than before, so that the series ends before this operation.
          shorter |= i < shortest.size() && change.test(i, part);
        }
      }
    }
    return shorter;
  }

  private boolean withSmallerAmount(int at, int part) {
    boolean smaller = false;
    while (patient() && at < shortest.size() && failsWith(at, part, Shrinker::halved)) {
      smaller = true;
    }
    return smaller;
  }

  private boolean withoutFrills(int at, int part) {
    boolean fewer = false;
    for (Change change : Frills.REMOVALS) {
      fewer |= at < shortest.size() && failsWith(at, part, change);
    }
    return fewer;
  }

  private boolean failsWith(int at, int part, Change change) {
    Operation before = shortest.get(at);
    Operation after = changed(before, part, change);
    return after != null && !before.equals(after) && stillFails(with(at, after));
  }

  private List<Operation> with(int at, Operation operation) {
    List<Operation> changed = new ArrayList<>(shortest);
    changed.set(at, operation);
    return changed;
  }

  private static int parts(Operation operation) {
    return switch (operation) {
      case Operation.Post post -> post.request().items().stream().mapToInt(Shrinker::size).sum();
      case Operation.Open open -> open.accounts().size();
      case Operation.Register register -> register.assets().size();
      default -> 0;
    };
  }

  private static int size(PostItem item) {
    return item instanceof GroupRequest group ? group.members().size() : 1;
  }

  private static @Nullable Operation without(Operation operation, int part) {
    if (operation instanceof Operation.Open open) {
      List<NewAccount> accounts = new ArrayList<>(open.accounts());
      accounts.remove(part);
      return accounts.isEmpty() ? null : new Operation.Open(accounts);
    }
    if (operation instanceof Operation.Register register) {
      List<Asset> assets = new ArrayList<>(register.assets());
      assets.remove(part);
      return assets.isEmpty() ? null : new Operation.Register(assets);
    }
    return changed(operation, part, transfer -> null);
  }

  private static TransferRequest halved(TransferRequest transfer) {
    Amount amount = transfer.amount();
    try {
      return amount == null
          ? transfer
          : transfer.amount(Amount.ofMinor(amount.toBigInteger().shiftRight(1)));
    } catch (MisuseException e) {
      return transfer;
    }
  }

  /** A function from a transfer to another or to null for none. */
  interface Change {
    @Nullable TransferRequest of(TransferRequest transfer);
  }

  private static @Nullable Operation changed(Operation operation, int part, Change change) {
    List<PostItem> items = new ArrayList<>();
    int at = 0;
    for (PostItem item : ((Operation.Post) operation).request().items()) {
      int index = part - at;
      at += size(item);
      if (index < 0 || part >= at) {
        items.add(item);
      } else if (item instanceof TransferRequest transfer) {
        addIfAny(items, change.of(transfer));
      } else if (item instanceof GroupRequest group) {
        List<PostItem> members = new ArrayList<>(group.members());
        TransferRequest member = change.of((TransferRequest) members.remove(index));
        if (member != null) {
          members.add(index, member);
        }
        if (!members.isEmpty()) {
          items.add(
              new GroupRequest(
                  group.id(), members.stream().map(TransferRequest.class::cast).toList()));
        }
      }
    }
    return items.isEmpty() ? null : new Operation.Post(new PostRequest(items));
  }

  private static void addIfAny(List<PostItem> items, @Nullable TransferRequest transfer) {
    if (transfer != null) {
      items.add(transfer);
    }
  }

  private boolean stillFails(List<Operation> operations) {
    ManualClock clock = new ManualClock();
    Ledger ledger = engine.open(clock);
    Duel duel = new Duel(ledger, clock, new Auditor());
    int done = 0;
    try {
      for (Operation operation : operations) {
        done++;
        duel.step(operation);
      }
      duel.compareEverything();
      return false;
    } catch (AssertionError | RuntimeException e) {
      shortest = List.copyOf(operations.subList(0, done));
      failure = e;
      return true;
    } finally {
      engine.dispose(ledger);
    }
  }
}
