package dev.partita.validate.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Stands between clients and a PostgreSQL server, on the loopback interface, and is a bad network
 * when told to: it cuts connections around their COMMITs, delays, stalls and refuses.
 *
 * <p>It reads the protocol to find the COMMITs. What is encrypted it cannot read, so encrypted
 * connections are cut at random moments instead. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(TcpProxy.class.getName());

  private final List<ServerSocket> listeners = new ArrayList<>();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final SplittableRandom random;
  private final Gate gate = new Gate();
  private final AtomicReference<@Nullable Cut> planned = new AtomicReference<>();
  private final AtomicBoolean refusing = new AtomicBoolean();
  private final Map<Cut, LongAdder> cuts = new EnumMap<>(Cut.class);
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private volatile Duration toServer = Duration.ZERO;
  private volatile Duration toClient = Duration.ZERO;

  private TcpProxy(SplittableRandom random) {
    this.random = random;
    for (Cut cut : Cut.values()) {
      cuts.put(cut, new LongAdder());
    }
  }

  /**
   * Listens on a free port for each of these addresses and forwards to it.
   *
   * @param upstreams where servers listen; a name is looked up at each connection
   * @param random decides what to cut, and where in an answer
   */
  public static TcpProxy before(List<InetSocketAddress> upstreams, SplittableRandom random)
      throws IOException {
    TcpProxy proxy = new TcpProxy(random);
    try {
      for (InetSocketAddress upstream : upstreams) {
        ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        proxy.listeners.add(listener);
        Thread.ofVirtual().name("proxy").start(() -> proxy.listen(listener, upstream));
      }
    } catch (IOException e) {
      proxy.close();
      throw e;
    }
    return proxy;
  }

  /** Where it listens, in the order of the addresses it forwards to. */
  public List<InetSocketAddress> addresses() {
    return listeners.stream()
        .map(each -> new InetSocketAddress(each.getInetAddress(), each.getLocalPort()))
        .toList();
  }

  private void listen(ServerSocket listener, InetSocketAddress upstream) {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing.get()) {
          refused.increment();
          ProxiedConnection.reset(client);
        } else {
          accepted.increment();
          Thread.ofVirtual().name("proxied").start(() -> serve(client, upstream));
        }
      } catch (IOException e) {
        if (!listener.isClosed()) {
          LOG.log(System.Logger.Level.WARNING, "the proxy could not accept a connection", e);
        }
      }
    }
  }

  private void serve(Socket client, InetSocketAddress upstream) {
    try (ProxiedConnection connection = new ProxiedConnection(this, client)) {
      connections.add(connection);
      try {
        gate.pass();
        connection.run(new InetSocketAddress(upstream.getHostString(), upstream.getPort()));
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "a proxied connection ended", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        connections.remove(connection);
      }
    }
  }

  /**
   * Plans what happens to the connection that commits next. One that is planned already stays as it
   * is. If nobody's commits can be read, one connection is cut at once. {@link Cut#ANYWHERE} is no
   * plan: it happens at once.
   */
  public void cut(Cut cut) {
    boolean hidden =
        !connections.isEmpty() && connections.stream().allMatch(ProxiedConnection::isEncrypted);
    if (cut == Cut.ANYWHERE || hidden) {
      cutOne();
    } else {
      planned.compareAndSet(null, cut);
    }
  }

  /** Cuts one connection at once, if there is any. */
  public void cutOne() {
    List<ProxiedConnection> all = List.copyOf(connections);
    if (!all.isEmpty()) {
      all.get(nextInt(all.size())).cut(Cut.ANYWHERE);
    }
  }

  /** Cuts all connections at once. */
  public void cutAll() {
    connections.forEach(each -> each.cut(Cut.ANYWHERE));
  }

  /** Whether a plan waits for someone to commit. */
  public boolean isPlanned() {
    return planned.get() != null;
  }

  /** Forgets what was planned. */
  public void forgetPlan() {
    planned.set(null);
  }

  /** Makes each round trip take so much longer, on its way there and on its way back. */
  public void delay(Duration thereBy, Duration backBy) {
    toServer = thereBy;
    toClient = backBy;
  }

  /** Forwards nothing any more, until told to resume; connections are accepted and stay open. */
  public void stall() {
    gate.close();
  }

  /** Forwards everything that was held back, and goes on. */
  public void resume() {
    gate.open();
  }

  /** Whether new connections are refused. */
  public void refuse(boolean value) {
    refusing.set(value);
  }

  /** Connections cut so far in this way. */
  public long cuts(Cut cut) {
    return counter(cut).sum();
  }

  /** Connections cut so far. */
  public long cuts() {
    return cuts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Connections accepted so far. */
  public long accepted() {
    return accepted.sum();
  }

  /** Connections refused so far. */
  public long refused() {
    return refused.sum();
  }

  /** Connections so far that were encrypted, so that their COMMITs could not be found. */
  public long unreadable() {
    return unreadable.sum();
  }

  Gate gate() {
    return gate;
  }

  /** What to do at the COMMIT that was just found, or null. */
  @Nullable Cut takePlan() {
    return planned.getAndSet(null);
  }

  void count(Cut cut) {
    counter(cut).increment();
  }

  void countUnreadable() {
    unreadable.increment();
  }

  void delayToServer() throws InterruptedException {
    Thread.sleep(toServer);
  }

  void delayToClient() throws InterruptedException {
    Thread.sleep(toClient);
  }

  int nextInt(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  private LongAdder counter(Cut cut) {
    return Objects.requireNonNull(cuts.get(cut), "one for each");
  }

  /** Stops listening and ends all connections. */
  @Override
  public void close() {
    for (ServerSocket listener : listeners) {
      ProxiedConnection.closeQuietly(listener);
    }
    connections.forEach(ProxiedConnection::close);
    gate.open();
  }
}
