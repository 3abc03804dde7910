#!/usr/bin/env swift
import Foundation

/// Doc.
@objc
public struct A<T: B>: C where T: D {
  /* block */
  var p: Int { return 1 }
  var q: Int {
    get { 1 }
    set { a() }
  }
  var r = 1 { didSet { b() } willSet(n) { c(n) } }
  private let handler: (Int) -> Int = { x in x + 1 }
  init(a: Int, _ b: String = "x") { self.a = a }
  init?(c: Int) { return nil }
  deinit { a() }
  subscript(i: Int) -> Int { get { 1 } }
  static func m(_ a: Int, with b: inout Int) throws -> Int { return 0x1F }
  static func + (l: A, r: A) -> A { l }
}
protocol P {
  func f()
  var x: Int { get }
}
extension A.B { func e() {} }
enum E: Int {
  case a, b(Int)
  func f() {}
}
actor Act { func f() async { await g() } }
func f(x: Int?) -> Int {
  guard let x = x, x > 1 else { return 1 }
  if a && (b || c) { d() } else if let y = z { e(y) } else { e() }
  if case .some(let v) = x { print(v) }
  for i in 0..<3 where i > 1 { continue }
  while a { break }
  repeat { a() } while b
  switch x {
  case 1, 2: a()
  case let y where y > 3: b(); fallthrough
  default: c()
  }
  do { try a() } catch let e as E { b() } catch { c() }
  let y = a ? b : c ?? d
  xs.map { x in x.a }.filter { x in
    a()
    return x
  }
  run(a, completion: { (e: E) -> Void in b(); c() })
  outer: for x in y { break outer }
  let s = "a \(x) b", n: Int? = nil, d = 1.5, t = true
  let v = if a { 1 } else { 2 }
  do { a() }
  #if DEBUG
  a()
  #endif
  let m = """
    text \(x)

    more
    """
  throw E.a
}
