import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, it } from 'vitest';
import { type NoticeContent, renderNotice } from '../../../workflows/notice/pdf.ts';

const notice = (changes: Partial<NoticeContent> = {}): NoticeContent => ({
  title: 'Bußgeldbescheid – Marktaufsicht',
  office: 'Amt für Märkte',
  language: 'de',
  noticeNumber: 'N-2026-17',
  caseNumber: 'C-2026-17',
  issuedAt: '2026-03-02T23:30:00.000Z',
  issuedOn: '2026-03-03',
  recipient: { name: 'Łukasz Müller ΑΒΓ Жук', addressLines: ['Hauptstraße 1', '10115 Berlin'] },
  actionType: 'Geldbuße',
  paragraphs: ['Sie haben gegen die Pflicht verstoßen.\nDie Frist ist abgelaufen.', 'Fluffige Offiziere.'],
  provisions: ['Art. 12', '§ 14 Abs. 2'],
  complyBy: '2026-04-01',
  appealBy: '2026-04-15',
  penalty: { minorUnits: 1_250_000, currency: 'EUR' },
  ...changes,
});
const root = join(import.meta.dirname, '../../..');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A reader of uncompressed PDF that knows just enough to read back what is printed. */
function read(bytes: Uint8Array) {
  const pdf = Buffer.from(bytes).toString('latin1');
  const object = (n: string) => new RegExp(`\\n${n} 0 obj\\n([^]*?)\\nendobj`).exec(pdf)?.[1] ?? '';
  const alphabets = new Map<string, string[]>();
  for (const [, name, n] of pdf.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const cmap = object(/\/ToUnicode (\d+) 0 R/.exec(object(n!))?.[1] ?? '');
    const letters: string[] = [];
    for (const [, from, list] of cmap.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g))
      [...list!.matchAll(/<([\w ]+)>/g)].forEach(([, hex], i) => {
        letters[parseInt(from!, 16) + i] = Buffer.from(hex!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
      });
    alphabets.set(name!, letters);
  }
  const pages = [...pdf.matchAll(/\/Type \/Page\n[^]*?\/Contents (\d+) 0 R/g)].map(([, n]) => object(n!));
  const texts = pages.map((content) => {
    let letters: string[] = [];
    let text = '';
    for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g)) {
      if (font) letters = alphabets.get(font) ?? [];
      else
        text += `${[...shown!.matchAll(/<(\w+)>/g)].flatMap(([, hex]) => hex!.match(/\w{4}/g)!.map((glyph) => letters[parseInt(glyph, 16)] ?? '?')).join('')}\n`;
    }
    return text;
  });
  return { pdf, texts };
}

describe('a rendered notice', () => {
  it('says everything it was given, in whatever letters', async () => {
    const { texts } = read(await renderNotice(notice()));
    assert.equal(texts.length, 1);
    assert.deepEqual(texts[0]!.trim().split(/ ?\n/), [
      'Amt für Märkte',
      'Łukasz Müller ΑΒΓ Жук',
      'Hauptstraße 1',
      '10115 Berlin',
      'Bußgeldbescheid – Marktaufsicht',
      'Bescheid: N-2026-17',
      'Aktenzeichen: C-2026-17',
      'Maßnahme: Geldbuße',
      'Erlassen am: 3. März 2026',
      'Zu befolgen bis: 1. April 2026',
      'Anfechtbar bis: 15. April 2026',
      'Geldbuße: EUR 12.500,00',
      'Sie haben gegen die Pflicht verstoßen.',
      'Die Frist ist abgelaufen.',
      'Fluffige Offiziere.',
      'Rechtsgrundlagen',
      '– Art. 12',
      '– § 14 Abs. 2',
      'N-2026-17 · C-2026-17',
      'Seite 1 von 1',
    ]);
  });

  it('is tagged, titled and in its language, for those who hear it', async () => {
    const { pdf } = read(await renderNotice(notice()));
    for (const part of [
      '/StructTreeRoot',
      '/MarkInfo',
      '/Marked true',
      '/Lang (de)',
      '/DisplayDocTitle true',
      'pdfuaid:part>1<',
    ])
      assert.ok(pdf.includes(part), part);
    for (const tag of ['Document', 'H1', 'H2', 'P', 'L', 'LI', 'LBody']) assert.ok(pdf.includes(`/S /${tag}\n`), tag);
    const fromTheRecord = '(D:20260302233000Z)';
    assert.deepEqual(pdf.match(/\(D:[^)]*\)/g), [fromTheRecord, fromTheRecord]);
    assert.match(pdf, /\/Artifact <<\n\/Type \/Pagination/);
    assert.equal(pdf.match(/ BDC/g)?.length, pdf.match(/\nEMC/g)?.length);
  });

  it('numbers its pages', async () => {
    const paragraphs = Array.from(
      { length: 40 },
      (_, n) => `Absatz ${n}. ${'Die Unterlagen fehlen weiterhin. '.repeat(8)}`,
    );
    const { texts } = read(await renderNotice(notice({ paragraphs })));
    assert.ok(texts.length > 2);
    texts.forEach((text, n) => assert.match(text, new RegExp(`Seite ${n + 1} von ${texts.length}\n$`)));
    for (const n of paragraphs.keys()) assert.equal(texts.join('').split(`Absatz ${n}.`).length, 2);
  });

  it('leaves out what there is not, and takes text however it was typed', async () => {
    const short = notice({ complyBy: undefined, appealBy: undefined, penalty: undefined, provisions: [] });
    const { texts } = read(await renderNotice({ ...short, paragraphs: ['eins\r\nzwei\rdrei', ''] }));
    assert.match(texts[0]!, /eins\nzwei\ndrei\n/);
    assert.doesNotMatch(texts[0]!, /befolgen|Anfechtbar|buße:|Rechtsgrundlagen/);
  });

  const amounts: [string, number, string, string][] = [
    ['en', 5, 'EUR', 'Penalty: EUR 0.05'],
    ['en', 123456789, 'USD', 'Penalty: USD 1,234,567.89'],
    ['en', 12500, 'JPY', 'Penalty: JPY 12,500'],
    ['en', 12500, 'KWD', 'Penalty: KWD 12.500'],
    ['fr', 1250000, 'EUR', 'Amende: EUR 12\u00a0500,00'],
  ];
  for (const [language, minorUnits, currency, shown] of amounts)
    it(`shows ${minorUnits} minor units of ${currency} in ${language} as ${shown}`, async () => {
      const { texts } = read(await renderNotice(notice({ language, penalty: { minorUnits, currency } })));
      assert.ok(texts[0]!.includes(`${shown}\n`), texts[0]);
    });

  it('has the same bytes fifty times over', async () => {
    const hashes = new Set<string>();
    for (let n = 0; n < 50; n++) hashes.add(sha256(await renderNotice(notice())));
    assert.equal(hashes.size, 1);
  }, 60_000);

  it('has the same bytes in another process, another zone, and bundled', async () => {
    const directory = await mkdtemp(join(root, 'node_modules', '.notice-')); // where the packages are found
    try {
      const outfile = join(directory, 'pdf.mjs');
      const external = ['pdfkit', '@expo-google-fonts/*'];
      const entryPoints = [join(root, 'workflows/notice/pdf.ts')];
      await build({ entryPoints, outfile, external, bundle: true, minify: true, platform: 'node', format: 'esm' });
      const program = `
        import { createHash } from 'node:crypto';
        import { renderNotice } from './pdf.mjs';
        const bytes = await renderNotice(${JSON.stringify(notice())});
        console.log(createHash('sha256').update(bytes).digest('hex'));`;
      await writeFile(join(directory, 'run.mjs'), program);
      const env = { ...process.env, TZ: 'Pacific/Auckland', LANG: 'fr_FR.UTF-8' };
      const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'run.mjs')], { env });
      assert.equal(stdout.trim(), sha256(await renderNotice(notice())));
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('a notice that cannot be rendered', () => {
  const places: [string, Partial<NoticeContent>][] = [
    ['the title', { title: '通知' }],
    ['the name', { recipient: { name: '通知', addressLines: [] } }],
    ['the address', { recipient: { name: 'A', addressLines: ['通知'] } }],
    ['a paragraph', { paragraphs: ['a\n通知'] }],
    ['a provision', { provisions: ['通知'] }],
    ['a number', { caseNumber: '通知' }],
  ];
  for (const [where, changes] of places)
    it(`names the letters of ${where} that it cannot show`, async () => {
      const expected = { name: 'NoticeNotRenderable', reason: 'CHARACTERS', codePoints: ['U+77E5', 'U+901A'] };
      await assert.rejects(renderNotice(notice(changes)), expected);
    });

  it('names what is beyond sixteen bits, broken, or no letter at all', async () => {
    const title = 'a😀b\ud800c\td\ne';
    await assert.rejects(renderNotice(notice({ title })), { codePoints: ['U+0009', 'U+000A', 'U+D800', 'U+1F600'] });
  });

  const others: [string, Partial<NoticeContent>][] = [
    ['LANGUAGE', { language: 'xx' }],
    ['DATE', { issuedAt: 'today' }],
    ['DATE', { issuedOn: '2026-02-30' }],
    ['DATE', { complyBy: '2026-13-01' }],
    ['DATE', { appealBy: '2026-04-15T00:00:00Z' }],
    ['PENALTY', { penalty: { minorUnits: 0.5, currency: 'EUR' } }],
    ['PENALTY', { penalty: { minorUnits: -1, currency: 'EUR' } }],
    ['PENALTY', { penalty: { minorUnits: 1, currency: 'euro' } }],
  ];
  for (const [reason, changes] of others)
    it(`is refused with ${reason} for ${JSON.stringify(changes)}`, async () => {
      await assert.rejects(renderNotice(notice(changes)), { name: 'NoticeNotRenderable', reason });
    });
});
