!a = !pm.field<[i=4, k=8], f32>
!b = !pm.field<[k=8, j=4], f32>
!c = !pm.field<[i=4, j=4], f32>
module attributes {pm.deterministic} {
  func.func @product(%a: !a, %b: !b) -> !c {
    %c = pm.contract %a, %b : !a, !b -> !c
    return %c : !c
  }
}
