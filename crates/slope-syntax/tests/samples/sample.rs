fn f(a: u8, self_: &mut T) -> u8 {
    let Some(x) = y else { return 1; };
    if let Some(x) = y && z && a || b { break 'a; } else if q { } else { 1 }
    let v = xs.iter().map(|x| x.a).filter(move |(a, b)| { let c = 1; c });
    match x { A | B if c => 1, _ if d => 2, n => 3, }
    assert!(a && b, "x {}", if c { 1 } else { 2 });
    'a: loop { continue 'a; }
}
impl<T> Foo for Bar<T> { fn m(&self, b: u8) {} }
