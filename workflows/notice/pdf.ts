import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** All that is printed, as plain data. The bytes of the notice depend on nothing else. */
export type NoticeContent = {
  title: string;
  office: string;
  /** BCP 47; the words around the content exist in `en`, `de` and `fr`. */
  language: string;
  noticeNumber: string;
  caseNumber: string;
  /** Instant: the document's creation date. */
  issuedAt: string;
  /** LocalDate in the office's zone, as printed: an instant alone cannot say which day it was there. */
  issuedOn: string;
  recipient: { name: string; addressLines: string[] };
  actionType: string;
  /** A line feed within a paragraph starts a new line. */
  paragraphs: string[];
  provisions: string[];
  /** LocalDates. */
  complyBy?: string;
  appealBy?: string;
  penalty?: { minorUnits: number; currency: string };
};

/** The notice cannot be rendered from this content, now or later. Names code points, never text. */
export class NoticeNotRenderable extends Error {
  override readonly name = 'NoticeNotRenderable';
  readonly reason: 'CHARACTERS' | 'LANGUAGE' | 'DATE' | 'PENALTY';
  /** `U+XXXX`, each once, in order; for CHARACTERS only. */
  readonly codePoints: string[];

  constructor(reason: NoticeNotRenderable['reason'], codePoints: string[]) {
    super(`the notice cannot be rendered: ${reason}${codePoints.map((text) => ` ${text}`).join('')}`);
    this.reason = reason;
    this.codePoints = codePoints;
  }
}

/** A tagged PDF/UA, byte for byte the same at every rendering. What the font cannot show is refused before. */
export async function renderNotice(notice: NoticeContent): Promise<Uint8Array> {
  const words = wordsOf(notice.language);
  const facts = factsOf(notice, words);
  const issuedAt = new Date(notice.issuedAt);
  if (Number.isNaN(issuedAt.getTime())) throw new NoticeNotRenderable('DATE', []);

  // Loaded when first needed: an idle host keeps neither the library nor the fonts in memory.
  const { default: PDFDocument } = await import('pdfkit');
  const { title, office, language } = notice;
  const doc = new PDFDocument({
    pdfVersion: '1.7',
    subset: 'PDF/UA' as never, // newer than its types
    tagged: true,
    lang: language,
    displayTitle: true,
    compress: false, // what a library compresses changes with the library
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    info: { Title: title, Author: office, Producer: maker, Creator: maker, CreationDate: issuedAt, ModDate: issuedAt },
  });
  doc.registerFont('regular', await font('400Regular')).registerFont('bold', await font('700Bold'));
  assertShowable(doc, [title, office, ...facts.flat(), ...textsOf(notice), ...Object.values(words).flat()]);

  doc.addPage({ size: 'A4', margin: 64 });
  const root = doc.struct('Document');
  doc.addStructure(root);
  writeBody(doc, root, { notice, words, facts });
  root.end();
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    const [before, between] = words.page;
    writeFooter(
      doc,
      page,
      `${notice.noticeNumber} · ${notice.caseNumber}`,
      `${before} ${page + 1} ${between} ${count}`,
    );
  }
  return finished(doc);
}

const maker = 'docket notices 1';
type Doc = PDFKit.PDFDocument;
type Fact = [label: string, value: string];
type Body = { notice: NoticeContent; words: Words; facts: Fact[] };

function writeBody(doc: Doc, root: PDFKit.PDFStructureElement, { notice, words, facts }: Body): void {
  const write = (tag: string, name: 'regular' | 'bold', size: number, gap: number, text: string) =>
    root.add(doc.struct(tag, {}, () => void doc.font(name).fontSize(size).text(text).moveDown(gap)));

  write('P', 'bold', 11, 1.5, notice.office);
  write('P', 'regular', 11, 2, [notice.recipient.name, ...notice.recipient.addressLines].join('\n'));
  write('H1', 'bold', 18, 0.6, notice.title);
  for (const [label, value] of facts) write('P', 'regular', 11, 0.15, `${label}: ${value}`);
  doc.moveDown(1);
  for (const paragraph of notice.paragraphs) write('P', 'regular', 11, 0.7, linesOf(paragraph).join('\n'));
  if (notice.provisions.length === 0) return;

  write('H2', 'bold', 13, 0.4, words.provisions);
  const list = doc.struct('L');
  root.add(list);
  for (const provision of notice.provisions) {
    const line = () => void doc.font('regular').fontSize(11).text(`– ${provision}`).moveDown(0.2);
    list.add(doc.struct('LI', {}, [doc.struct('LBody', {}, line)]));
  }
  list.end();
}

/** An artifact: a reader that speaks the page does not speak its number. */
function writeFooter(doc: Doc, page: number, left: string, right: string): void {
  doc.switchToPage(page);
  const { margins, width, height } = doc.page;
  const { left: x, bottom } = margins;
  margins.bottom = 0; // else the footer, below the margin, would open a page of its own
  doc.markContent('Artifact', { type: 'Pagination' });
  const y = height - bottom + 20;
  const line = { width: width - 2 * x, lineBreak: false };
  doc.font('regular').fontSize(9).text(left, x, y, line);
  doc.text(right, x, y, { ...line, align: 'right' });
  doc.endMarkedContent();
  margins.bottom = bottom;
}

function finished(doc: Doc): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('error', reject).on('end', () => resolve(Buffer.concat(parts)));
    doc.end();
  });
}

/** Found from this file at run time, so it also works where this is bundled and the fonts are not. */
async function font(weight: '400Regular' | '700Bold'): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  return readFile(require.resolve(`@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`));
}

/** A code point the font does not know would be printed as an empty box, on a paper that binds somebody. */
function assertShowable(doc: Doc, texts: string[]): void {
  const missing = new Set<number>();
  for (const name of ['regular', 'bold']) {
    // pdfkit has no public way to ask; its fonts are fontkit's.
    const { _font } = doc.font(name) as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } };
    for (const text of texts)
      for (const character of text) {
        const code = character.codePointAt(0)!;
        if (!_font.font.hasGlyphForCodePoint(code)) missing.add(code);
      }
  }
  const inOrder = [...missing].sort((a, b) => a - b);
  const named = inOrder.map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
  if (named.length > 0) throw new NoticeNotRenderable('CHARACTERS', named);
}

/** However the text was typed. */
const linesOf = (text: string) => text.split(/\r\n?|\n/);

/** Every text of the content beside title, office and facts; paragraphs by the line. */
function textsOf({ recipient, paragraphs, provisions }: NoticeContent): string[] {
  return [recipient.name, ...recipient.addressLines, ...provisions, ...paragraphs.flatMap(linesOf)];
}

function factsOf(notice: NoticeContent, words: Words): Fact[] {
  const { noticeNumber, caseNumber, actionType, issuedOn, complyBy, appealBy, penalty } = notice;
  const facts: Fact[] = [
    [words.notice, noticeNumber],
    [words.case, caseNumber],
    [words.type, actionType],
    [words.issued, dateIn(words, issuedOn)],
  ];
  if (complyBy) facts.push([words.complyBy, dateIn(words, complyBy)]);
  if (appealBy) facts.push([words.appealBy, dateIn(words, appealBy)]);
  if (penalty) facts.push([words.penalty, amountIn(words, penalty)]);
  return facts;
}

/** Own names of months: those of the runtime change with its version, and with them would the bytes. */
function dateIn(words: Words, date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const name = words.months[Number(month) - 1];
  if (!year || !name || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day))
    throw new NoticeNotRenderable('DATE', []);
  return `${Number(day)}${words.afterDay} ${name} ${year}`;
}

function amountIn(
  { thousands, decimal }: Words,
  { minorUnits, currency }: { minorUnits: number; currency: string },
): string {
  if (!Number.isSafeInteger(minorUnits) || minorUnits < 0 || !/^[A-Z]{3}$/.test(currency))
    throw new NoticeNotRenderable('PENALTY', []);
  const places =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const digits = String(minorUnits).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${currency} ${whole}${places > 0 ? decimal + digits.slice(-places) : ''}`;
}

type Words = (typeof languages)['en'];

function wordsOf(language: string): Words {
  const words = Object.entries(languages).find(([known]) => language.split('-')[0] === known)?.[1];
  if (!words) throw new NoticeNotRenderable('LANGUAGE', []);
  return words;
}

const languages = {
  en: {
    ...{ notice: 'Notice', case: 'Case', type: 'Measure', issued: 'Issued on', provisions: 'Provisions' },
    ...{ complyBy: 'Comply by', appealBy: 'Appeal by', penalty: 'Penalty', page: ['Page', 'of'] },
    ...{ thousands: ',', decimal: '.', afterDay: '' },
    months: 'January February March April May June July August September October November December'.split(' '),
  },
  de: {
    ...{
      notice: 'Bescheid',
      case: 'Aktenzeichen',
      type: 'Maßnahme',
      issued: 'Erlassen am',
      provisions: 'Rechtsgrundlagen',
    },
    ...{ complyBy: 'Zu befolgen bis', appealBy: 'Anfechtbar bis', penalty: 'Geldbuße', page: ['Seite', 'von'] },
    ...{ thousands: '.', decimal: ',', afterDay: '.' },
    months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  },
  fr: {
    ...{ notice: 'Décision', case: 'Dossier', type: 'Mesure', issued: 'Prise le', provisions: 'Dispositions' },
    ...{ complyBy: 'À exécuter avant le', appealBy: 'Recours avant le', penalty: 'Amende', page: ['Page', 'sur'] },
    ...{ thousands: '\u00a0', decimal: ',', afterDay: '' },
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  },
};
