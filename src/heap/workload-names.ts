/** The names of the generated workloads (`workloads.ts`). */
export const workloadNames = ['larson', 'xalanc', 'long-lived'] as const;

export type WorkloadName = (typeof workloadNames)[number];

export function isWorkloadName(text: string): text is WorkloadName {
  return (workloadNames as readonly string[]).includes(text);
}
