"""Prints functions that each call the one before twice: 2^40 call paths."""
T = "tensor<4xf32>"
print(f"func.func private @f0(%x: {T}) -> {T} {{ func.return %x : {T} }}")
for i in range(1, 41):
    print(f"func.func private @f{i}(%x: {T}) -> {T} {{\n"
          f"  %a = func.call @f{i - 1}(%x) : ({T}) -> {T}\n"
          f"  %b = func.call @f{i - 1}(%a) : ({T}) -> {T}\n"
          f"  %c = \"stablehlo.add\"(%a, %b) : ({T}, {T}) -> {T}\n"
          f"  func.return %c : {T}\n}}")
print(f"func.func @main(%p: {T}) -> {T} {{\n"
      f"  %r = func.call @f40(%p) : ({T}) -> {T}\n  func.return %r : {T}\n}}")
