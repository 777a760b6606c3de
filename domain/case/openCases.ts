/** Where a case stood at one of its events; `sourceVersion` is that event's audit sequence. */
export type OpenCaseRow = { region: string; open: boolean; sourceVersion: number };

/** Shards of the counter of a region's open cases: only their sum means something. */
export const counterShards = 32;
