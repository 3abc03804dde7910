// The paths of the service: what each reads, asks the office for, and answers.

import { editsWith } from './edits'
import type { Office } from './office'
import type { Blocks, Forms } from './papers'
import { blockQuestion, blockQuestions, question, questions } from './questions'
import type { Reply, Route } from './routing'
import { anObject, digits, flag, line, name, oneOf, whole, type Field, type Reader } from './shapes'

const FORM_FIELDS: Field[] = [
  { name: 'id', read: name },
  { name: 'title', read: line },
  { name: 'questions', read: questions }
]

const BLOCK_FIELDS: Field[] = [
  { name: 'id', read: name },
  { name: 'title', read: line },
  { name: 'questions', read: blockQuestions }
]

const ANSWERS: Field = { name: 'answers', read: anObject }

const REPLY_FIELDS: Field[] = [
  { name: 'by', read: line },
  ANSWERS,
  { name: 'send', read: flag, default: true }
]

function ok (body: object): Reply {
  return { status: 200, body }
}

function created (location: string, body: object): Reply {
  return { status: 201, body, headers: { Location: location } }
}

/** The routes that forms and blocks have in common. */
function paperRoutes (path: string, papers: (office: Office) => Forms | Blocks, question: Reader): Route[] {
  return [
    {
      method: 'GET',
      pattern: `${path}/ID/editions/N`,
      handle: (office, { ids: [id, number] }) => ok(papers(office).editionNamed(id, number))
    },
    { method: 'GET', pattern: `${path}/ID/draft`, handle: (office, { ids: [id] }) => ok(papers(office).draft(id)) },
    {
      method: 'POST',
      pattern: `${path}/ID/edits`,
      fields: [
        { name: 'revision', read: whole(0, 1000000) },
        { name: 'edits', read: editsWith(question) },
        { name: 'merge', read: flag, default: false }
      ],
      handle: (office, { ids: [id], fields: { revision, edits, merge } }) =>
        ok(papers(office).edit(id, revision, edits, merge))
    },
    {
      method: 'POST',
      pattern: `${path}/ID/publish`,
      handle: (office, { ids: [id] }) => {
        const edition = papers(office).publish(id)
        return created(`${path}/${id}/editions/${edition.edition}`, edition)
      }
    }
  ]
}

const BLOCK_ROUTES: Route[] = [
  { method: 'GET', pattern: '/blocks', handle: office => ok({ blocks: office.listBlocks() }) },
  {
    method: 'POST',
    pattern: '/blocks',
    fields: BLOCK_FIELDS,
    handle: (office, { fields }) => {
      const { id, title, questions } = fields
      office.blocks.add({ id, title, questions })
      return created(`/blocks/${id}`, office.block(id))
    }
  },
  { method: 'GET', pattern: '/blocks/ID', handle: (office, { ids: [id] }) => ok(office.block(id)) },
  {
    method: 'GET',
    pattern: '/blocks/ID/editions',
    handle: (office, { ids: [id] }) => ok({ editions: office.listBlockEditions(id) })
  },
  ...paperRoutes('/blocks', office => office.blocks, blockQuestion)
]

const FORM_ROUTES: Route[] = [
  { method: 'GET', pattern: '/forms', handle: office => ok({ forms: office.listForms() }) },
  {
    method: 'POST',
    pattern: '/forms',
    fields: FORM_FIELDS,
    handle: (office, { fields }) => {
      const { id, title, questions } = fields
      office.forms.add({ id, title, questions })
      return created(`/forms/${id}`, office.form(id))
    }
  },
  { method: 'GET', pattern: '/forms/ID', handle: (office, { ids: [id] }) => ok(office.form(id)) },
  {
    method: 'POST',
    pattern: '/forms/ID/close',
    handle: (office, { ids: [id] }) => {
      office.forms.setState(id, 'closed')
      return ok(office.form(id))
    }
  },
  {
    method: 'POST',
    pattern: '/forms/ID/open',
    handle: (office, { ids: [id] }) => {
      office.forms.setState(id, 'open')
      return ok(office.form(id))
    }
  },
  {
    method: 'GET',
    pattern: '/forms/ID/editions',
    handle: (office, { ids: [id] }) => ok({ editions: office.listEditions(id) })
  },
  {
    method: 'GET',
    pattern: '/forms/ID/summary',
    parameters: { edition: digits, all: oneOf('true', 'false') },
    handle: (office, { ids: [id], parameters: { edition, all } }) => ok(office.summary(id, edition, all === 'true'))
  },
  ...paperRoutes('/forms', office => office.forms, question)
]

const REPLY_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/forms/ID/replies',
    parameters: { by: line, state: oneOf('begun', 'sent'), edition: digits, as: digits },
    handle: (office, { ids: [id], parameters: { as: edition, ...wanted } }) => {
      if (edition !== undefined) return ok({ replies: office.seenReplies(id, edition, wanted) })
      const { replies } = office
      return ok({ replies: replies.of(id, wanted).map(reply => replies.shown(reply)) })
    }
  },
  {
    method: 'POST',
    pattern: '/forms/ID/replies',
    fields: REPLY_FIELDS,
    handle: ({ replies }, { ids: [id], fields }) => {
      const reply = replies.add(id, fields)
      return created(`/replies/${reply.id}`, replies.shown(reply))
    }
  },
  {
    method: 'GET',
    pattern: '/replies/ID',
    parameters: { edition: digits },
    handle: ({ replies }, { ids: [id], parameters: { edition } }) => {
      const reply = replies.get(id)
      return ok(edition === undefined ? replies.shown(reply) : replies.seen(reply, edition))
    }
  },
  {
    method: 'POST',
    pattern: '/replies/ID/move',
    fields: [{ name: 'edition', read: whole(1, 999999), optional: true }],
    handle: ({ replies }, { ids: [id], fields }) => ok(replies.move(id, fields.edition))
  },
  {
    method: 'PUT',
    pattern: '/replies/ID',
    fields: [ANSWERS],
    handle: ({ replies }, { ids: [id], fields }) => ok(replies.shown(replies.replaceAnswers(id, fields.answers)))
  },
  {
    method: 'PATCH',
    pattern: '/replies/ID',
    fields: [ANSWERS],
    handle: ({ replies }, { ids: [id], fields }) => ok(replies.shown(replies.changeAnswers(id, fields.answers)))
  },
  {
    method: 'POST',
    pattern: '/replies/ID/send',
    handle: ({ replies }, { ids: [id] }) => ok(replies.shown(replies.send(id)))
  },
  {
    method: 'DELETE',
    pattern: '/replies/ID',
    handle: ({ replies }, { ids: [id] }) => {
      replies.remove(id)
      return ok({ removed: id })
    }
  }
]

export const ROUTES = [...FORM_ROUTES, ...BLOCK_ROUTES, ...REPLY_ROUTES]
