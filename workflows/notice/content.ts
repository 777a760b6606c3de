import type { EnforcementAction, Notice } from '../../domain/action/action.ts';
import type { Case, Contravention, Party } from '../../domain/case/case.ts';
import { InvariantBreach } from '../../domain/answer.ts';
import { ref } from '../../domain/refs.ts';
import type { Tenant } from '../../domain/tenant.ts';
import { calendar } from '../../store/calendar.ts';
import { readItems, readSet } from '../../store/read.ts';
import type { Store } from '../../store/store.ts';
import type { Deps, ActionInput } from '../task.ts';
import type { NoticeContent } from './pdf.ts';

/** The records a notice speaks of, read consistently. */
export type NoticeRecords = {
  case: Case;
  action: EnforcementAction;
  notice: Notice;
  party: Party;
  contraventions: Contravention[];
  tenant: Tenant;
};

/** Whose the rendered document is. */
export const contentOwner = ({ tenant, caseId, noticeId }: ActionInput) => ({ tenant, caseId, ownerId: noticeId! });

export async function readNotice(store: Store, input: ActionInput): Promise<NoticeRecords> {
  const { tenant: tenantId, caseId, actionId, noticeId } = input;
  const found = await readSet(store, tenantId, {
    tenant: ref.tenant(),
    case: ref.case(caseId),
    action: ref.action(caseId, actionId),
    notice: ref.notice(caseId, noticeId!),
  });
  const { tenant, case: current, action, notice } = found;
  if (!tenant || !current || !action || !notice) throw new InvariantBreach('a notice without its records');
  const [party] = await readItems(store, tenantId, [ref.party(caseId, action.partyId)]);
  const contraventions = await readItems(
    store,
    tenantId,
    action.contraventionIds.map((id) => ref.contravention(caseId, id)),
  );
  if (!party) throw new InvariantBreach('a notice without its party');
  return {
    tenant,
    case: current,
    action,
    notice,
    party,
    contraventions: contraventions.filter((c) => c !== undefined),
  };
}

/** What is printed: from the records alone, so that every rendering has the same bytes. */
export function contentOf(records: NoticeRecords, office: Deps['office']): NoticeContent {
  const { case: current, action, notice, party, contraventions, tenant } = records;
  const { complyBy, appealBy, penalty } = action;
  return {
    title: titles[action.type],
    office: office.name,
    language: notice.language,
    noticeNumber: `${current.number}/${notice.id.slice(0, 8).toUpperCase()}`,
    caseNumber: current.number,
    issuedAt: action.issuedAt!,
    issuedOn: calendar.dateIn(tenant.zone, action.issuedAt!),
    recipient: { name: party.name, addressLines: party.addressLines },
    actionType: action.type.toLowerCase().replaceAll('_', ' '),
    paragraphs: [
      'After investigation and review, this office has decided to take the enforcement action named above.',
      'The provisions that were contravened are listed below. You may appeal against this decision until the date given.',
    ],
    provisions: contraventions.map(({ provision, date }) => `${provision} (${date})`),
    ...(complyBy && { complyBy }),
    ...(appealBy && { appealBy }),
    ...(penalty && { penalty }),
  };
}

const titles: Record<EnforcementAction['type'], string> = {
  ADVICE: 'Notice of advice',
  WARNING: 'Warning',
  COMPLIANCE_NOTICE: 'Compliance notice',
  PROHIBITION_NOTICE: 'Prohibition notice',
  PENALTY_NOTICE: 'Penalty notice',
  LICENCE_ACTION: 'Notice of licence action',
  PROSECUTION_REFERRAL: 'Notice of referral for prosecution',
};
