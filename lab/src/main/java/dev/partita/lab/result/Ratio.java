package dev.partita.lab.result;

import java.util.List;

/**
 * How one arm compares with another, each with its neighbour of the same block.
 *
 * @param name what is compared
 * @param arm the numerator
 * @param against the denominator
 * @param perBlock the ratio in each block, in the order of the blocks
 * @param median of these
 * @param wanted a figure to reach, in words; empty if there is none
 */
public record Ratio(
    String name, String arm, String against, List<Double> perBlock, double median, String wanted) {

  /** Takes a copy. */
  public Ratio {
    perBlock = List.copyOf(perBlock);
  }
}
