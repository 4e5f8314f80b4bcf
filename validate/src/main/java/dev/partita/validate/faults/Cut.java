package dev.partita.validate.faults;

/** Where a connection is cut. */
public enum Cut {
  /** The COMMIT does not reach the server, which then records nothing. */
  BEFORE_COMMIT("before a COMMIT was forwarded"),
  /** The COMMIT reaches the server; who sent it does not wait to see what becomes of it. */
  AT_COMMIT("right after a COMMIT was forwarded"),
  /** The server has committed, and nothing of its answer arrives. */
  ANSWER_LOST("before the answer to a COMMIT"),
  /** The server has committed, and only a part of its answer arrives. */
  ANSWER_TORN("in the middle of the answer to a COMMIT"),
  /** At any moment. */
  ANYWHERE("at random moments");

  private final String when;

  Cut(String when) {
    this.when = when;
  }

  /** When that is, in words that go on from "connections cut". */
  public String when() {
    return when;
  }
}
