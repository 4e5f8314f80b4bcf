package dev.partita.client;

import dev.partita.AccountId;
import java.io.InputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One request of the API: what to send, what it may do there, and how to read its answer. */
final class Call<T> {

  /** What a request may do to the ledger, which decides whether it is sent again. */
  enum Effect {
    /** It only reads. */
    READS,
    /** It records, and repeating it is safe. */
    RECORDS,
    /** It does something that a repetition would not answer again. */
    ACTS_ONCE;

    boolean changesSomething() {
      return this != READS;
    }
  }

  private final String method;
  private final String target;
  private final byte @Nullable [] body;
  private final Effect effect;
  private final @Nullable AccountId account;
  private final Function<InputStream, T> answer;

  private Call(
      String method,
      String target,
      byte @Nullable [] body,
      Effect effect,
      @Nullable AccountId account,
      Function<InputStream, T> answer) {
    this.method = method;
    this.target = target;
    this.body = body;
    this.effect = effect;
    this.account = account;
    this.answer = answer;
  }

  static <T> Call<T> get(Target target, Function<InputStream, T> answer) {
    return new Call<>("GET", target.toString(), null, Effect.READS, null, answer);
  }

  static <T> Call<T> send(
      String method,
      Target target,
      byte @Nullable [] body,
      Effect effect,
      Function<InputStream, T> answer) {
    return new Call<>(method, target.toString(), body, effect, null, answer);
  }

  /** This call with the account that an unknown account can only be. */
  Call<T> about(@Nullable AccountId named) {
    return new Call<>(method, target, body, effect, named, answer);
  }

  String method() {
    return method;
  }

  String target() {
    return target;
  }

  byte @Nullable [] body() {
    return body;
  }

  Effect effect() {
    return effect;
  }

  @Nullable AccountId account() {
    return account;
  }

  T read(InputStream in) {
    return answer.apply(in);
  }
}
