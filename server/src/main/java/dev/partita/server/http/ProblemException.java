package dev.partita.server.http;

import java.util.Objects;

/** A request that is answered with a problem. */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  /** To be answered with this problem. */
  public ProblemException(Problem problem) {
    super(problem.code() + ": " + problem.detail());
    this.problem = Objects.requireNonNull(problem, "problem");
  }

  /** The answer. */
  public Problem problem() {
    return problem;
  }
}
