import { keyText } from '../../store/keys.ts';
import type { Item, Key, QueryRequest } from '../../store/table-port.ts';

/** What the indexes show: every change, some time after it was made. */
export type Indexes = { changed: (key: Key, item: Item | undefined) => void; seen: () => Item[] };

export function indexesWithLag(now: () => number, lagMs: number): Indexes {
  const shown = new Map<string, Item>();
  const onTheWay: { at: number; key: Key; item: Item | undefined }[] = [];
  return {
    changed: (key, item) => void onTheWay.push({ at: now() + lagMs, key, item }),
    seen: () => {
      while (onTheWay[0] && onTheWay[0].at <= now()) {
        const { key, item } = onTheWay.shift()!;
        if (item) shown.set(keyText(key), item);
        else shown.delete(keyText(key));
      }
      return [...shown.values()];
    },
  };
}

export function lookUp(request: QueryRequest, items: readonly Item[], indexes: Indexes) {
  const [pk, sk] = request.index ? [`${request.index}Pk`, `${request.index}Sk`] : ['pk', 'sk'];
  const place = (item: Record<string, unknown>) => `${String(item[sk])}\n${String(item['pk'])}\n${String(item['sk'])}`;
  const inRange = (text: string) =>
    (request.prefix === undefined || text.startsWith(request.prefix)) &&
    (request.from === undefined || text >= request.from) &&
    (request.to === undefined || text <= request.to);
  const sign = request.forward ? 1 : -1;
  const order = (a: string, b: string) => sign * (a < b ? -1 : a > b ? 1 : 0);
  const found = (request.index ? indexes.seen() : items)
    .filter((item) => item[pk] === request.partition && inRange(String(item[sk])))
    .sort((a, b) => order(place(a), place(b)))
    .filter((item) => !request.after || order(place(item), place(request.after)) > 0);
  const page = found.slice(0, request.limit);
  const last = page.at(-1);
  const more = last && found.length > page.length;
  return {
    items: request.index ? page.map((item) => only(item, ['pk', 'sk', pk, sk])) : page,
    ...(more && { lastKey: only(last, ['pk', 'sk', pk, sk]) as unknown as Record<string, string> }),
  };
}

const only = (item: Item, names: string[]): Item => Object.fromEntries(names.map((name) => [name, item[name]])) as Item;
