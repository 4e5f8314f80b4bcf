package dev.partita.validate.faults;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets threads pass while it is open, and holds them while it is closed. Thread-safe. */
final class Gate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private boolean isOpen = true;

  void open() {
    lock.lock();
    try {
      isOpen = true;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      isOpen = false;
    } finally {
      lock.unlock();
    }
  }

  void pass() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isOpen) {
        opened.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
