package dev.partita.lab.experiment;

import java.time.Duration;
import java.util.Locale;

/** How much is measured, and so what may be said of it. */
public enum Profile {
  /** Seconds: shows that everything works and comes out right. Its figures say nothing. */
  SMOKE(1, Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMinutes(1)),
  /** Minutes: three interleaved blocks; shapes with a wide margin may be believed. */
  QUICK(3, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofMinutes(7)),
  /** As long as it takes: six interleaved blocks of a minute for each arm. */
  FULL(6, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofDays(1));

  /** What a cell takes beside its warm-up and its window: tables, reconciliation, tidying up. */
  private static final Duration AROUND = Duration.ofSeconds(2);

  private static final Duration WINDOW_MIN = Duration.ofSeconds(2);

  private final int blocks;
  private final Duration warmUp;
  private final Duration windowMax;
  private final Duration budget;

  Profile(int blocks, Duration warmUp, Duration windowMax, Duration budget) {
    this.blocks = blocks;
    this.warmUp = warmUp;
    this.windowMax = windowMax;
    this.budget = budget;
  }

  /** How often every arm has a turn. */
  public int blocks() {
    return blocks;
  }

  /** What is offered before each window. */
  public Duration warmUp() {
    return warmUp;
  }

  /** Longest window of a cell, unless an experiment needs a longer one. */
  Duration windowMax() {
    return windowMax;
  }

  /** How long each of so many arms is measured in each block, so that all end in time. */
  public Duration window(int arms, Duration most) {
    Duration each = budget.dividedBy((long) arms * blocks).minus(warmUp).minus(AROUND);
    Duration floor = most.compareTo(WINDOW_MIN) < 0 ? most : WINDOW_MIN;
    if (each.compareTo(floor) < 0) {
      return floor;
    }
    return each.compareTo(most) > 0 ? most : each;
  }

  /** Whether its figures may be compared with what is expected. */
  public boolean judges() {
    return this != SMOKE;
  }

  /** As users write it. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
