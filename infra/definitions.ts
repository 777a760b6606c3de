import notice from '../workflows/notice/notice.asl.json' with { type: 'json' };
import notification from '../workflows/notification/notification.asl.json' with { type: 'json' };
import reconciliation from '../workflows/reconciliation/reconciliation.asl.json' with { type: 'json' };
import registration from '../workflows/registration/registration.asl.json' with { type: 'json' };

/** The machines as they are everywhere: the same files run embedded and are drawn by the console. */
export const definitions = { notice, notification, registration, reconciliation };

export type MachineName = keyof typeof definitions;
export const machineNames = Object.keys(definitions) as MachineName[];

/** The tasks a machine calls: the names its definition leaves open. */
export const tasksOf = (machine: MachineName): string[] => [
  ...new Set([...JSON.stringify(definitions[machine]).matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name!)),
];
