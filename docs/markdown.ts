import type { Key } from '../store/table-port.ts';

/** Without the tenant, which begins every partition. */
export const keyText = ({ pk, sk }: Key) => `${pk.split('#').slice(2).join('#')} ${sk}`;

export const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');

export const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');

const escaped = (cell: string) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
