package dev.partita.server.http;

/** Answers requests, on the caller's thread and from any number of threads at once. */
@FunctionalInterface
public interface HttpHandler {

  /** Sends a response to the client. */
  @FunctionalInterface
  interface Sender {

    /**
     * Sends a response and returns when it is written.
     *
     * <p>If its body fails before any of it was sent, the failure is thrown as it is and another
     * response may be sent. If it fails later, the connection is cut, so that the client cannot
     * take what it has for the whole.
     *
     * @throws ConnectionLostException if the connection is gone
     */
    void send(Response response);
  }

  /** The client cannot be told anything any more. */
  final class ConnectionLostException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The connection is gone because of this. */
    public ConnectionLostException(Throwable cause) {
      super("the connection is gone", cause);
    }
  }

  /**
   * Answers one request by sending one response. Fails only with {@link ConnectionLostException};
   * everything else that goes wrong is an answer too.
   */
  void handle(Request request, Sender sender);
}
