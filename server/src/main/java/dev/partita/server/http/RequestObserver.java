package dev.partita.server.http;

/** Told of every request, on the request's own thread. Must not throw and must not wait. */
public interface RequestObserver {

  /** Sees nothing. */
  RequestObserver NONE = new RequestObserver() {};

  /** A request is there. */
  default void began() {}

  /** Its answer was written, or there is nobody to write it to. */
  default void ended(Observation request) {}

  /** Tells two. */
  static RequestObserver both(RequestObserver first, RequestObserver second) {
    return new RequestObserver() {
      @Override
      public void began() {
        first.began();
        second.began();
      }

      @Override
      public void ended(Observation request) {
        first.ended(request);
        second.ended(request);
      }
    };
  }
}
