import process from 'node:process';

/** Processor time of this thread that the work takes, in ms. Other work of the machine does not count. */
export function measureCpu(work: () => void): number {
  const started = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1000;
}
