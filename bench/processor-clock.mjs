/**
 * Makes the clock of this process its processor time, which a busy machine changes little.
 *
 * The system adds up the times of all threads, which takes 10 µs, longer than some of the steps
 * between which Redzone asks for the time. So it is asked again only after half a millisecond; the
 * sum of many short times is still right, since they begin anywhere in it.
 */
const realNow = performance.now.bind(performance);
const STEP_MS = 5;

export function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function useProcessorClock() {
  let asked = Number.NEGATIVE_INFINITY;
  let answer = 0;
  performance.now = () => {
    const now = realNow();
    if (now - asked >= STEP_MS) {
      asked = now;
      answer = processorMs();
    }
    return answer;
  };
}
