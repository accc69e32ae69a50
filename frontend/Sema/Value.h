//===- Value.h - What expressions evaluate to -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler evaluates a spec. What it knows (constants, dims, functions,
// shapes of records) stays in a Value; of numbers and fields that only the
// program will know, it has the type and the unit. For these, IR generation
// keeps an SSA value in it, which no rule reads. Values are immutable and cheap
// to copy. They do not depend on MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_VALUE_H
#define PMC_FRONTEND_SEMA_VALUE_H

#include "frontend/Sema/Types/Dims.h"
#include "frontend/Sema/Types/Quantity.h"
#include "frontend/Sema/Types/Storage.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pmc {

namespace ast {
struct FunctionStmt;
struct LambdaExpr;
} // namespace ast
class Type;
struct ModuleInfo;
enum class BuiltinId : uint16_t;

/// How loops are reversed: the states that are kept.
enum class Schedule : uint8_t { Keep, Revolve, Reverse };

/// What a derivative of a function gives, and how loops are reversed for it.
struct Derivation {
  enum class Mode : uint8_t { Grad, ValueAndGrad, VJP, JVP };
  Mode mode = Mode::Grad;
  Schedule schedule = Schedule::Keep;
  bool isOpen = false;   ///< the spec does not say the schedule
  int64_t snapshots = 0; // of Schedule::Revolve
};

class Value {
public:
  enum class Kind : uint8_t {
    Poison,  // comes from an error that has been reported
    Nothing, // of a block without value
    Int,
    Real,
    Bool,
    String, // known to the compiler
    Dim,
    Scalar,  // f64, i64, i1 at run time; an element in element mode
    Complex, // two real parts: Int, Real or Scalar
    Field,
    Table,
    Tuple,
    Record,
    Range,
    Closure,
    Builtin,
    Derivative, // grad(f) and the like: a function
    Coordinate, // the variable of a map
    Stream,     // samples in a file
  };

  Value() = default;
  static Value poison() { return Value(); }
  /// A value of which only parts of the type are known, where a function is
  /// checked without a call. It counts as poison: rules that do not know of
  /// free values report nothing about them.
  static Value free(const Type &type);
  static Value nothing() { return Value(Kind::Nothing); }
  static Value integer(int64_t value);
  static Value real(double value, Unit unit = {});
  static Value boolean(bool value);
  static Value string(std::string text);
  static Value dim(Dim dim);
  /// A number of the program. Without an SSA value, only its type is known.
  static Value scalar(Storage storage, Unit unit = {},
                      const void *handle = nullptr);
  /// The same bits as a u64.
  Value asUnsigned() const;
  /// The same int, of which a map makes a field of ints.
  Value asElement() const;
  bool isElement() const { return anElement; }
  /// An int of run time that is one of several constants, or computed from such
  /// ints. As for a constant, a map makes a field of real numbers of it.
  Value asChoice() const;
  bool isChoice() const { return kind == Kind::Scalar && anElement; }
  static Value complex(Value re, Value im, Unit unit);
  static Value field(std::vector<Dim> dims, Storage element, Unit unit = {},
                     const void *handle = nullptr);
  static Value table(Unit xUnit, Unit yUnit, const void *handle = nullptr);
  /// A table over several axes: a record of one table for each axis, whose x
  /// are the points and whose y are 0, and of a table of the values, row by
  /// row. No spec can write the names of its members.
  static Value grid(std::vector<Value> axes, Value values);
  /// `tags`: the dims that the components belong to, if they belong to dims.
  /// Poison if a component is.
  static Value tuple(std::vector<Value> elements, std::vector<Dim> tags = {});
  static Value record(std::vector<std::string> names,
                      std::vector<Value> elements);
  static Value range(Value begin, Value end);
  /// Captured names come with the values they had; the first `locals` of them
  /// are local names, the others `let`s of the module.
  static Value closure(const ast::FunctionStmt *function,
                       const ast::LambdaExpr *lambda, const ModuleInfo *module,
                       std::vector<std::string> captured,
                       std::vector<Value> values, unsigned locals);
  static Value builtin(BuiltinId id);
  /// Of a function, with respect to the parameters of these names.
  static Value derivative(Value function, std::vector<std::string> parameters,
                          const Derivation &derivation);
  static Value coordinate(unsigned map);
  /// The input of this name: fields of these dims, counted along `along`, which
  /// `dim` is if it is declared.
  static Value stream(std::string name, std::string along,
                      std::optional<Dim> dim, std::vector<Dim> sample,
                      Storage element, Unit unit);

  Kind getKind() const { return kind; }
  bool is(Kind k) const { return kind == k; }
  bool isPoison() const { return kind == Kind::Poison; }
  bool isFree() const { return kind == Kind::Poison && detail; }
  /// Of a free value.
  const Type &getKnown() const;
  /// Whether it is free or has a free part.
  bool holdsFree() const;
  bool isDim() const { return kind == Kind::Dim; }
  bool isTuple() const { return kind == Kind::Tuple; }
  bool isRecord() const { return kind == Kind::Record; }
  /// Whether it is a table over several axes.
  bool isGrid() const;
  /// The number of axes of a table, over one axis or several.
  unsigned getAxisCount() const;
  bool isField() const { return kind == Kind::Field; }
  bool isStream() const { return kind == Kind::Stream; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isComplex() const { return kind == Kind::Complex; }
  bool isClosure() const { return kind == Kind::Closure; }
  bool isFunction() const {
    return kind == Kind::Closure || kind == Kind::Builtin ||
           kind == Kind::Derivative;
  }
  /// A number that the compiler knows.
  bool isConstNumber() const { return kind == Kind::Int || kind == Kind::Real; }
  /// i64 or a constant int.
  bool isIntLike() const;
  /// A u64 at run time.
  bool isUnsigned() const;
  /// i1 or a constant bool; fields of them are not.
  bool isBoolLike() const;
  /// A real number, known or not, no bool.
  bool isRealNumber() const;
  bool isNumber() const { return isRealNumber() || isComplex(); }
  /// A field, or a number, or a bool: what arithmetic works on elementwise.
  bool isElementwise() const { return isNumber() || isBoolLike() || isField(); }
  /// Compile-time zero as a number, exactly.
  bool isConstZero() const;
  /// Int, or a Real without fraction.
  std::optional<int64_t> getConstInt() const;
  /// Value of Int or Real.
  std::optional<double> getConstReal() const;

  int64_t getInt() const { return bits; }
  bool getBool() const { return bits != 0; }
  double getReal() const { return number; }
  llvm::StringRef getString() const; ///< the name of a stream
  const Dim &getDim() const;
  /// Of a stream: the dim that counts samples, null if none is declared.
  const Dim *getCounted() const;
  /// The SSA value, which `IRGen/Lowering.h` reads; null if there is none.
  const void *getHandle() const { return handle; }
  /// Of scalars, and of the elements of fields and samples.
  Storage getStorage() const { return storage; }
  /// Of fields and samples.
  DimList getDims() const;
  /// A field of numbers that are stored so.
  bool isFieldOf(Storage element) const {
    return isField() && storage == element;
  }
  /// Whether two fields or scalars have the same type, whatever their units.
  bool hasTypeOf(const Value &other) const;
  const Unit &getUnit() const { return unit; }
  /// The unit, and whether it is settled. Of a free value, what is known.
  Quantity getQuantity() const;
  Value withQuantity(const Quantity &quantity) const;
  const Unit &getXUnit() const;
  /// The unit is still open: zero, or an accumulator that began with zero.
  bool hasAnyUnit() const;
  Value withUnit(Unit newUnit) const;
  Value withAnyUnit() const;
  BuiltinId getBuiltin() const { return BuiltinId(bits); }
  unsigned getCoordinateMap() const { return unsigned(bits); }

  const Value &getRe() const { return getElements()[0]; }
  const Value &getIm() const { return getElements()[1]; }
  llvm::ArrayRef<Value> getElements() const;
  llvm::ArrayRef<std::string> getNames() const;
  DimList getTags() const;
  /// Member of a record, null if there is none.
  const Value *findMember(llvm::StringRef name) const;
  const ast::FunctionStmt *getFunction() const;
  const ast::LambdaExpr *getLambda() const;
  const ModuleInfo *getModule() const;
  unsigned getCapturedLocals() const;
  const Derivation &getDerivation() const;
  /// The same aggregate with other elements.
  Value withElements(std::vector<Value> elements) const;

  /// Nesting of aggregates, and number of Values in it.
  unsigned getDepth() const;
  uint64_t getSize() const;

  /// "field[x, y, z]", "f64", "a record": for messages.
  std::string describeType() const;
  /// The same with the unit: "f64 in km/s".
  std::string describe() const;

private:
  struct Detail;
  explicit Value(Kind kind) : kind(kind) {}
  static Value aggregate(Kind kind, std::shared_ptr<Detail> detail);

  Kind kind = Kind::Poison;
  bool anyUnit = false;
  bool anElement = false;
  Storage storage = Storage::None;
  Unit unit;
  union {
    int64_t bits = 0;
    double number;
  };
  const void *handle = nullptr;
  std::shared_ptr<const Detail> detail;
};

/// What rules see of a value. `named`: with the words that messages use.
Type typeOf(const Value &value, bool named = false);

/// Visits what is in a record or a list, and in those within it, in order, with
/// the way there: `net/layers/0/weight`. Ends with false where a visit does,
/// and at poison.
bool forEachMember(
    const Value &value, const std::string &path,
    llvm::function_ref<bool(const Value &, const std::string &)> visit);

/// Whether two records have members of the same names, in any order.
bool hasSameMembers(const Value &a, const Value &b);
/// The parts of `value` in the order of those of `like`: members of records by
/// their names, components by the names of their dims, or by position.
std::vector<Value> partsLike(const Value &value, const Value &like);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_VALUE_H
