import type { Outcome } from './case/case.ts';
import type { Calendar } from './calendar.ts';
import type { Instant, LocalDate, TenantId } from './ids.ts';
import { preconditionFailed, type Refused } from './refusal.ts';

/** A tenant's settings: zone, working days, limits it may lower but not raise, retention. */
export type Tenant = {
  id: TenantId;
  name: string;
  /** IANA zone, for example `Asia/Jakarta`. Legal dates are dates in it. */
  zone: string;
  /** ISO weekdays (1 = Monday) that are worked, and the dates that are not. */
  workingDays: number[];
  holidays: LocalDate[];
  limits: { investigators: number; openTasks: number; defaultMaxLoad: number };
  /** Within how many working days a review is due; 10 unless the tenant says otherwise. */
  reviewWorkingDays?: number;
  /** The largest penalty a supervisor may impose, in minor units. */
  penaltyAuthority: { minorUnits: number; currency: string };
  /** Years kept after the trigger, by outcome; PERMANENT is a value. */
  retention: Record<Outcome, number | 'PERMANENT'>;
};

/** The hard bounds; a tenant's own are at most these. */
export const hardLimits = { investigators: 3, openTasks: 40 } as const;

export const defaultReviewWorkingDays = 10;

/** Settings are configuration, read and never a premise: they would be one hot item for the whole tenant. */
export const noSettings = (): Refused => preconditionFailed('TENANT_SETTINGS', 'the tenant has no settings');

/** The legal date on which a command is decided. */
export const todayIn = (
  { zone }: Pick<Tenant, 'zone'>,
  { calendar, at }: { calendar: Calendar; at: Instant },
): LocalDate => calendar.dateIn(zone, at);
