package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.AccountId;
import dev.partita.ChangeResult;
import dev.partita.Ledger;
import dev.partita.LedgerException;
import dev.partita.PostResult;
import dev.partita.TransferResult;
import dev.partita.TransferStatus;
import dev.partita.UnknownAccountException;
import java.util.List;
import java.util.function.Supplier;

/**
 * An engine and the {@link Auditor}, told the same things at the same times. Throws a {@link
 * Disagreement} as soon as their answers differ. For one thread.
 */
final class Duel {

  private final Ledger engine;
  private final ManualClock clock;
  private final Auditor auditor;

  Duel(Ledger engine, ManualClock clock, Auditor auditor) {
    this.engine = engine;
    this.clock = clock;
    this.auditor = auditor;
  }

  Auditor auditor() {
    return auditor;
  }

  /** Does one step on both and answers what the engine answered. */
  Object step(Operation operation) {
    return switch (operation) {
      case Operation.Register register ->
          same(() -> auditor.register(register.assets()), () -> engine.register(register.assets()));
      case Operation.Open open ->
          same(
              () -> auditor.open(open.accounts(), clock.now()), () -> engine.open(open.accounts()));
      case Operation.Change change -> change(change);
      case Operation.Post post -> post(post);
      case Operation.Expire expire ->
          same(
              () -> auditor.expireDue(expire.limit(), clock.now()),
              () -> engine.expireDue(expire.limit()));
      case Operation.SetClock set -> {
        clock.set(set.to());
        yield set.to();
      }
      case Operation.LookAtAccount look ->
          same(() -> auditor.reads().account(look.account()), () -> engine.account(look.account()));
      case Operation.LookAtHold look -> {
        ReadsDuel.holds(engine, auditor.reads());
        yield auditor.reads().holds().stream()
            .filter(hold -> hold.id().equals(look.hold()))
            .findFirst();
      }
      case Operation.LookAtTransfer look ->
          same(
              () -> auditor.reads().transfer(look.transfer()),
              () -> engine.transfer(look.transfer()));
    };
  }

  private static Object same(Supplier<Object> expected, Supplier<Object> found) {
    Object wanted = expected.get();
    Object answer = outcome(found);
    Disagreement.unlessEqual("the answer", wanted, answer);
    return answer;
  }

  private static Object outcome(Supplier<Object> call) {
    try {
      return call.get();
    } catch (UnknownAccountException e) {
      return e.account();
    } catch (LedgerException e) {
      throw new Disagreement("the engine", e);
    }
  }

  private Object change(Operation.Change change) {
    Object expected = outcome(() -> auditor.change(change.request(), clock.now()));
    Object found = outcome(() -> engine.change(change.request()));
    Disagreement.unlessEqual("the answer", withoutTimes(expected), withoutTimes(found));
    return found;
  }

  /**
   * The rules do not say what time a change carries while the clock runs behind the account's last
   * record, so that is compared only where a test holds the clock still.
   */
  private static Object withoutTimes(Object answer) {
    if (answer instanceof AccountId) {
      return answer;
    }
    ChangeResult result = (ChangeResult) answer;
    return new ChangeResult(result.status(), ReadsDuel.withoutClosingTime(result.account()));
  }

  private PostResult post(Operation.Post post) {
    PostResult expected = auditor.post(post.request(), clock.now());
    PostResult found;
    try {
      found = engine.post(post.request());
    } catch (LedgerException e) {
      throw new Disagreement("posting", e);
    }
    Disagreement.unlessEqual("number of items", expected.items().size(), found.items().size());
    for (int i = 0; i < expected.items().size(); i++) {
      List<TransferResult> wanted = expected.items().get(i).transfers();
      List<TransferResult> answers = found.items().get(i).transfers();
      Disagreement.unlessEqual("number of answers to item " + i, wanted.size(), answers.size());
      for (int m = 0; m < wanted.size(); m++) {
        TransferResult answer = answers.get(m);
        Disagreement.unlessEqual(
            "answer " + m + " to item " + i, wanted.get(m), settled(answer, wanted.get(m)));
      }
    }
    return found;
  }

  /**
   * Where the rules do not say which of two accounts is spoken of, naming the one that the auditor
   * names or none is right.
   */
  private static TransferResult settled(TransferResult answer, TransferResult wanted) {
    boolean open =
        answer.status() == TransferStatus.ACCOUNTS_MUST_DIFFER
            || answer.status() == TransferStatus.PENDING_DIFFERENT;
    return open && answer.account() == null
        ? TransferResult.refused(answer.id(), answer.status(), wanted.account())
        : answer;
  }

  /** Compares what is quickly read: every account and all holds. */
  void compareState() {
    for (Account account : auditor.reads().accounts()) {
      Disagreement.unlessEqual(
          "account " + account.id(),
          ReadsDuel.withoutClosingTime(account),
          engine
              .account(account.id())
              .<Object>map(ReadsDuel::withoutClosingTime)
              .orElse("no such account"));
    }
    ReadsDuel.holds(engine, auditor.reads());
  }

  /** Compares everything that can be read. */
  void compareEverything() {
    compareState();
    new ReadsDuel(engine, auditor.reads(), clock.now()).compare();
  }
}
