import { describe, expect, it } from 'vitest';
import type { ReviewId } from '../../domain/ids.ts';
import { ref } from '../../domain/refs.ts';
import { ana, approved, ben, c1, cai, now, officer, open, r1, rob, sue, underReview } from './builders.ts';
import { scenes, standing } from './scenes.ts';
import { answerTo, but } from './ask.ts';
import { after, broken, commit, refuses, transitionOf } from './stage.ts';

const another = { review: { id: r1, submittedBy: ana.id, reviewerId: rob.id, contentVersion: 4 } };

describe('submitForReview', () => {
  const scene = scenes.submitForReview;
  const id = 'review-submitForReview-0' as ReviewId;

  it('pins the content as it is, and does not move it', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({
      status: 'UNDER_REVIEW',
      version: 6,
      contentVersion: 4,
      review: { id, submittedBy: ana.id, contentVersion: 4 },
    });
    expect(after(scene, ref.review(c1, id))).toMatchObject({
      recommendation: 'Enforce.',
      contentVersion: 4,
      version: 1,
    });
    expect(transitionOf(scene).event).toMatchObject({ from: 'OPEN', to: 'UNDER_REVIEW' });
  });

  it('does not go through once another leads, or the case has moved', () => {
    const next = transitionOf(scene);
    expect(broken(next, but(scene, { case: { leadOfficerId: rob.id } }).items)).toEqual(['case']);
    expect(broken(next, but(scene, { case: { version: 6 } }).items)).toEqual(['case']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to a supervisor who does not lead', { actor: sue }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once it is under review', { items: [[ref.case(c1), underReview()]] }],
    ['PRECONDITION_FAILED(NO_SUBJECT)', 'without a subject', { case: { subjects: 0 } }],
    ['PRECONDITION_FAILED(NO_CONTRAVENTION)', 'without a contravention', { case: { contraventions: 0 } }],
    ['PRECONDITION_FAILED(FINDINGS_UNDETERMINED)', 'while a finding is owed', { case: { undetermined: 1 } }],
    ['PRECONDITION_FAILED(OPEN_TASKS)', 'while a task blocks it', { case: { openBlockingReview: 1 } }],
    ['PRECONDITION_FAILED(PENDING_DOCUMENTS)', 'while a document is pending', { case: { pendingDocuments: 1 } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a recommendation', { command: { recommendation: '\n' } }],
  ]);
});

describe('assignReviewer', () => {
  const scene = scenes.assignReviewer;
  const alone = but(scene, { actor: rob });

  it('names the reviewer on the case and on the review, in place of another', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({ version: 6, contentVersion: 4, review: another.review });
    expect(after(scene, ref.review(c1, r1))).toMatchObject({ reviewerId: rob.id, version: 3 });
  });

  it('lets a reviewer take the review', () => {
    expect(answerTo(alone)).toBe('done');
  });

  it('does not go through once the reviewer investigates', () => {
    const member = but(scene, { items: [[ref.investigator(c1, rob.id), { officerId: rob.id }]] });
    expect(broken(transitionOf(scene), member.items)).toEqual(['investigator']);
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the lead', { actor: ana }],
    ['NOT_PERMITTED', 'to a reviewer who names another', { actor: ben }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'before it is submitted', { items: [[ref.case(c1), open()]] }],
    ['NO_CHANGE', 'for who reviews it already', { command: { reviewerId: ben.id } }],
    ['SEPARATION_OF_DUTIES', 'for the lead and submitter', { command: { reviewerId: ana.id } }],
    [
      'SEPARATION_OF_DUTIES',
      'for a submitter who leads no more',
      { command: { reviewerId: ana.id }, case: { leadOfficerId: rob.id } },
    ],
    ['SEPARATION_OF_DUTIES', 'for an investigator', { command: { reviewerId: cai.id } }],
    [
      'SEPARATION_OF_DUTIES',
      'to an investigator who is a reviewer',
      { actor: { ...cai, roles: ['REVIEWER'] }, command: { reviewerId: cai.id } },
    ],
    ['EXCLUDED', 'for who declared a conflict of interest', { items: [[ref.exclusion(c1, rob.id), {}]] }],
    ['REFERENCE_INVALID(reviewerId)', 'for who does not exist', { command: { reviewerId: 'nobody' } }],
    [
      'PRECONDITION_FAILED(OFFICER_NOT_ACTIVE)',
      'for who has left',
      { items: [[ref.officer(rob.id), officer(rob.id, { state: 'INACTIVE' })]] },
    ],
  ]);
});

describe('approveCase', () => {
  const scene = scenes.approveCase;

  it('approves the case as submitted and announces it', () => {
    const { review: _, ...facts } = underReview();
    const decision = { reviewId: r1, decidedBy: ben.id, decidedAt: now, reason: 'well founded' };
    expect(transitionOf(scene).aggregate.after).toEqual({
      ...facts,
      status: 'APPROVED',
      decision,
      version: 6,
      touched: { ...facts.touched, status: 6, review: 6, decision: 6 },
      updatedAt: now,
    });
    expect(after(scene, ref.review(c1, r1))).toMatchObject({
      decision: 'APPROVED',
      reason: 'well founded',
      decidedAt: now,
    });
    expect(transitionOf(scene)).toMatchObject({
      announces: 'CaseApproved',
      event: { from: 'UNDER_REVIEW', to: 'APPROVED' },
    });
  });

  it('takes the review off the stored case', () => {
    expect(after(scene, ref.case(c1))).not.toHaveProperty('review');
  });

  it('decides a review once', () => {
    const rival = transitionOf(scenes.rejectCase);
    expect(broken(rival, commit(transitionOf(scene), scene.items))).toEqual(['case', 'review', 'openTask', 'task']);
  });

  refuses(scene, [
    ['NOT_THE_REVIEWER', 'to another reviewer', { actor: rob }],
    ['NOT_THE_REVIEWER', 'to a supervisor', { actor: sue }],
    ['EXCLUDED', 'to the reviewer who has declared a conflict since', { items: [[ref.exclusion(c1, ben.id), {}]] }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once it is approved', { items: [[ref.case(c1), approved()]] }],
    ['CHANGED_SINCE_SUBMISSION', 'when the content moved', { case: { contentVersion: 5 } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});

describe('rejectCase', () => {
  const scene = scenes.rejectCase;

  it('rejects the case and proposes how it ends', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({ status: 'REJECTED', outcome: 'NO_BREACH', version: 6 });
    expect(after(scene, ref.review(c1, r1))).toMatchObject({ decision: 'REJECTED', reason: 'no ground' });
  });

  it('proposes no further action unless the reviewer says otherwise', () => {
    expect(after(but(scene, { command: { outcome: undefined } }), ref.case(c1))).toMatchObject({
      outcome: 'NO_FURTHER_ACTION',
    });
  });

  refuses(scene, [
    ['NOT_THE_REVIEWER', 'to another reviewer', { actor: rob }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'before it is submitted', { items: [[ref.case(c1), open()]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
    ['VALIDATION_FAILED(OUTCOME)', 'as enforced', { command: { outcome: 'ENFORCED' } }],
    ['VALIDATION_FAILED(OUTCOME)', 'as a duplicate', { command: { outcome: 'DUPLICATE' } }],
  ]);
});

describe('returnCaseForRework', () => {
  const scene = scenes.returnCaseForRework;

  it('opens the case again, counts the return and lists what has to change', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({ status: 'OPEN', returnCount: 1, version: 6, contentVersion: 4 });
    expect(after(scene, ref.review(c1, r1))).toMatchObject({
      decision: 'RETURNED',
      requiredChanges: ['name the scales'],
    });
  });

  refuses(scene, [
    ['NOT_THE_REVIEWER', 'to the lead', { actor: ana }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once it is approved', { items: [[ref.case(c1), approved()]] }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a required change', { command: { requiredChanges: [] } }],
    ['VALIDATION_FAILED(REQUIRED)', 'with an empty one', { command: { requiredChanges: [''] } }],
    ['VALIDATION_FAILED(AT_MOST)', 'with more than fifty', { command: { requiredChanges: Array(51).fill('more') } }],
    ['VALIDATION_FAILED(REQUIRED)', 'with an empty reason', { command: { reason: '' } }],
  ]);
});

describe('withdrawReview', () => {
  const scene = scenes.withdrawReview;

  it('opens the case again without counting a return', () => {
    expect(after(scene, ref.case(c1))).toMatchObject({ status: 'OPEN', returnCount: 0, version: 6 });
    expect(after(scene, ref.case(c1))).not.toHaveProperty('review');
    expect(after(scene, ref.review(c1, r1))).toMatchObject({ decision: 'WITHDRAWN', reason: 'new evidence' });
  });

  refuses(scene, [
    ['NOT_PERMITTED', 'to the reviewer', { actor: ben }],
    ['VERSION_CONFLICT', 'on a version that has passed', { command: { expectedVersion: 4 } }],
    ['ILLEGAL_TRANSITION', 'once it is decided', { items: standing(approved()) }],
    ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: '' } }],
  ]);
});
